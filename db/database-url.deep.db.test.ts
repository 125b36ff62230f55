import { execFileSync } from "node:child_process";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { serverUser } from "@/db/embedded/server-user";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@/db/embedded/start-embedded";
import { failureLine } from "@/server/ops/command";
import { cleanEmbedded, embeddedFolder } from "@/testing/embedded-folder";
import { createDatabase } from "./client";

const dir = mkdtempSync(path.join(tmpdir(), "ptb-tls-"));
const file = (name: string) => path.join(dir, name);
const openssl = (words: string) => execFileSync("openssl", words.split(" "), { cwd: dir, stdio: "pipe" });

let server: EmbeddedPostgres;

/** A Postgres with TLS, whose certificate is for `localhost` and comes from a CA of its own. */
beforeAll(async () => {
  for (const name of ["ca", "other"])
    openssl(
      `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=${name} -keyout ${name}.key -out ${name}.pem`,
    );
  openssl(
    "req -newkey rsa:2048 -nodes -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout server.key -out server.csr",
  );
  openssl("x509 -req -in server.csr -CA ca.pem -CAkey ca.key -days 2 -copy_extensions copy -out server.pem");
  const dataDir = await embeddedFolder();
  const { uid, gid } = serverUser(path.join(dataDir, "postgres"));
  execFileSync("chmod", ["-R", "go-rwx", dir]);
  if (uid !== undefined && gid !== undefined)
    for (const each of [dir, file("server.key"), file("server.pem")]) chownSync(each, uid, gid);
  server = await startEmbeddedPostgres({
    dataDir,
    asSuperuser: true,
    extraSettings: { ssl: "on", ssl_cert_file: file("server.pem"), ssl_key_file: file("server.key") },
  });
});
afterAll(async () => {
  await server.stop();
  await cleanEmbedded();
  rmSync(dir, { recursive: true });
});

const withQuery = (query: string, host = "localhost", at = server.url) => {
  const url = new URL(at);
  url.hostname = host;
  return `${url.href}?${query}`;
};

/** Connects as the service does. @returns whether the connection is encrypted, or the line that a command prints */
async function outcome(url: string, pooler: "none" | "transaction" = "none"): Promise<unknown> {
  const db = createDatabase({ url, poolMax: 2, timeoutSeconds: 5, pooler });
  try {
    const [row] = await db.sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`;
    return row!.ssl;
  } catch (error) {
    return failureLine(error);
  } finally {
    await db.close();
  }
}

const CA = () => `sslrootcert=${file("ca.pem")}`;
const OTHER = () => `sslrootcert=${file("other.pem")}`;
const REFUSED = /^TLS to the database failed: .*\. Check DATABASE_URL\.$/;

test.each([
  ["no parameter", () => withQuery(""), false],
  ["sslmode=prefer", () => withQuery("sslmode=prefer"), true],
  ["sslmode=require", () => withQuery("sslmode=require"), true],
  ["direct negotiation", () => withQuery("sslmode=require&sslnegotiation=direct"), true],
  ["verify-full with its CA", () => withQuery(`sslmode=verify-full&${CA()}`), true],
  ["verify-full for another name", () => withQuery(`sslmode=verify-full&${CA()}`, "127.0.0.1"), REFUSED],
  ["verify-ca for another name", () => withQuery(`sslmode=verify-ca&${CA()}`, "127.0.0.1"), true],
  ["require with another CA", () => withQuery(`sslmode=require&${OTHER()}`), REFUSED],
  ["the system's CAs", () => withQuery("sslrootcert=system"), REFUSED],
  [
    "channel_binding=require with the CA",
    () => withQuery(`sslmode=require&channel_binding=require&${CA()}`),
    true,
  ],
  [
    "channel_binding=require without the CA",
    () => withQuery("sslmode=require&channel_binding=require"),
    REFUSED,
  ],
])("TLS with %s does what libpq does, and says so when it fails", async (_name, url, expected) => {
  const said = await outcome(url());
  if (expected instanceof RegExp) expect(said).toMatch(expected);
  else expect(said).toBe(expected);
});

test("a server without TLS is named, and never counts as unreachable", async () => {
  const without = withQuery("sslmode=require", "127.0.0.1", inject("postgresUrl"));
  expect(await outcome(without)).toBe(
    "TLS to the database failed: The server does not support TLS (ERR_TLS_REFUSED). Check DATABASE_URL.",
  );
});
