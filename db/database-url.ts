import { X509Certificate } from "node:crypto";
import { type ConnectionOptions, createSecureContext } from "node:tls";
import { readNamedFile } from "./read-named-file";

/** A URL as the driver's options: it sends what it does not know to the server, which refuses. */
export interface DatabaseAddress {
  host: string[] | undefined;
  port: number[];
  user: string | undefined;
  pass: string | undefined;
  database: string | undefined;
  ssl: false | "prefer" | ConnectionOptions;
  sslnegotiation: "direct" | null;
  /** Parameters that the server reads. */
  connection: { application_name?: string; options?: string };
  /** The URL says that it leads to a transaction-mode pooler. */
  isPooled: boolean;
}

/** What is wrong, to follow the setting's name. Never a value: a mistake may be part of the password. */
export class DatabaseUrlError extends Error {
  override name = "DatabaseUrlError";
}

const ENCODE =
  "must be a URL such as postgres://user:password@host:5432/database, with special characters of the " +
  "password percent-encoded: % as %25, # as %23, / as %2F, ? as %3F, @ as %40";

const SSL_MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"];
const PUBLIC_ONLY = ["schema", "currentSchema", "search_path"];
const USED = new Set([
  ...["sslmode", "ssl", "sslrootcert", "sslcert", "sslkey", "sslnegotiation", "channel_binding"],
  ...["gssencmode", "application_name", "options", "pgbouncer", ...PUBLIC_ONLY],
]);
/** Hints for other clients. The service's own settings decide, and none makes the connection less safe. */
const LEFT_OUT = new Set([
  // libpq
  ...["connect_timeout", "keepalives", "keepalives_idle", "keepalives_interval", "keepalives_count"],
  ...["tcp_user_timeout", "target_session_attrs", "load_balance_hosts", "client_encoding"],
  ...["fallback_application_name", "sslcompression", "sslsni", "uselibpqcompat"],
  // Prisma, Supabase, Vercel
  ...["connection_limit", "pool_timeout", "socket_timeout", "statement_cache_size", "supa", "workaround"],
  // JDBC
  ...["prepareThreshold", "preparedStatementCacheQueries", "tcpKeepAlive", "loginTimeout", "connectTimeout"],
  ...["socketTimeout", "reWriteBatchedInserts"],
  // pgx, lib/pq, asyncpg
  ...["pool_max_conns", "pool_min_conns", "pool_max_conn_lifetime", "pool_max_conn_idle_time"],
  ...["pool_health_check_period", "default_query_exec_mode", "statement_cache_capacity"],
  ...["binary_parameters", "prepared_statement_cache_size"],
  // Rails, Django, postgres.js
  ...["pool", "prepared_statements", "encoding", "reconnect", "timeout", "checkout_timeout", "conn_max_age"],
  ...["max", "prepare", "idle_timeout", "max_lifetime"],
]);

/** @throws DatabaseUrlError, also when a certificate file cannot be read */
export function readDatabaseUrl(text: string): DatabaseAddress {
  const url = parse(text);
  const given = new Map(url.searchParams);
  const unknown = [...given.keys()].filter((name) => !USED.has(name) && !LEFT_OUT.has(name));
  if (unknown.some((name) => !/^[\w.-]{1,40}$/.test(name))) throw new DatabaseUrlError(ENCODE);
  if (unknown.length > 0)
    throw new DatabaseUrlError(`remove ${unknown.join(", ")} from the URL: not supported by this service`);
  for (const name of PUBLIC_ONLY)
    if ((given.get(name) ?? "public") !== "public")
      throw new DatabaseUrlError(`remove ${name} from the URL: the service uses the schema public`);
  if (given.get("gssencmode") === "require")
    throw new DatabaseUrlError("remove gssencmode=require from the URL: GSSAPI is not supported");
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const application_name = given.get("application_name");
  const options = given.get("options");
  return {
    host: host ? [host] : undefined,
    port: [Number(url.port || process.env.PGPORT || 5432)],
    user: decoded(url.username),
    pass: decoded(url.password),
    database: decoded(url.pathname.slice(1)),
    ssl: tlsOptions(given, host),
    sslnegotiation: given.get("sslnegotiation") === "direct" ? "direct" : null,
    connection: { ...(application_name && { application_name }), ...(options && { options }) },
    isPooled: given.get("pgbouncer") === "true",
  };
}

function parse(text: string): URL {
  const [, authority, rest] = /^postgres(?:ql)?:\/\/([^/?#]*)(.*)$/s.exec(text) ?? [];
  if (authority === undefined || rest === undefined)
    throw new DatabaseUrlError("must start with postgres:// or postgresql://");
  // Otherwise the address would begin in the middle of the password.
  if (rest.includes("@") || rest.includes("#")) throw new DatabaseUrlError(ENCODE);
  const place = authority.slice(authority.lastIndexOf("@") + 1);
  if (place.includes(",")) throw new DatabaseUrlError("must name one host");
  const port = /:([^:\]]+)$/.exec(place)?.[1];
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) < 65_536))
    throw new DatabaseUrlError("its port must be a number from 1 to 65535");
  if (!URL.canParse(text)) throw new DatabaseUrlError(ENCODE);
  return new URL(text);
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part) || undefined;
  } catch {
    throw new DatabaseUrlError(ENCODE);
  }
}

/** TLS as libpq does it. The driver lacks channel binding: the certificate is checked instead. */
function tlsOptions(given: ReadonlyMap<string, string>, host: string): DatabaseAddress["ssl"] {
  const mode = sslMode(given);
  if (mode === "disable") return false;
  if (mode === "allow" || mode === "prefer") return "prefer";
  const ca = given.get("sslrootcert") === "system" ? undefined : readPem(given, "sslrootcert");
  return {
    // Without a host name here, the certificate of an IP address would be compared with `localhost`.
    host,
    secureContext: secureContext(ca, readPem(given, "sslcert"), readPem(given, "sslkey")),
    rejectUnauthorized: mode !== "require",
    ...(mode === "verify-ca" && { checkServerIdentity: () => undefined }),
  };
}

function sslMode(given: ReadonlyMap<string, string>): string {
  const rootFile = given.get("sslrootcert");
  const mode = given.get("sslmode") ?? modeOfSsl(given.get("ssl")) ?? (rootFile ? "verify-ca" : "disable");
  if (!SSL_MODES.includes(mode)) throw new DatabaseUrlError(`sslmode must be one of ${SSL_MODES.join(", ")}`);
  const isVerified = mode.startsWith("verify-");
  if (given.get("channel_binding") === "require" && !isVerified) return "verify-full";
  if (rootFile === "system") return "verify-full";
  return mode === "require" && rootFile ? "verify-ca" : mode;
}

function modeOfSsl(ssl: string | undefined): string | undefined {
  if (ssl === "true" || ssl === "1") return "verify-full";
  return ssl === "false" || ssl === "0" ? "disable" : ssl;
}

function readPem(given: ReadonlyMap<string, string>, name: string): string | undefined {
  const file = given.get(name);
  if (!file) return undefined;
  try {
    return readNamedFile(file);
  } catch (error) {
    throw new DatabaseUrlError(`the file of ${name} ${(error as Error).message}`);
  }
}

function secureContext(ca: string | undefined, cert: string | undefined, key: string | undefined) {
  try {
    // OpenSSL ignores what is not a certificate.
    for (const pem of [ca, cert]) if (pem) new X509Certificate(pem);
    return createSecureContext({ ca, cert, key });
  } catch {
    throw new DatabaseUrlError(
      "the files of sslrootcert, sslcert and sslkey must be in PEM format, " +
        "and the key must belong to the certificate",
    );
  }
}
