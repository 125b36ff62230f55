import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { EmbeddedPostgresError, errorCode, lastError } from "./errors";
import { runProgram } from "./programs";
import { chownTo, ownName, type ServerUser } from "./server-user";

/** Owns the cluster. The first start removes its password, so that nobody can sign in as it. */
export const SUPERUSER = "postgres";

export interface EmbeddedOptions {
  dataDir: string;
  /** Extra Postgres settings, such as `{ fsync: "off" }` in tests. */
  extraSettings?: Record<string, string>;
  /** For tests, on a folder of their own: `url` signs in as the superuser, which otherwise nobody can. */
  asSuperuser?: boolean;
}

export interface Cluster extends Required<EmbeddedOptions> {
  /** The files in `dataDir`. */
  folder: string;
  log: string;
  password: string;
  port: string;
  user: ServerUser;
  /** The folder of Postgres' programs. */
  programs: string;
}

/** For its owner only, but on macOS Postgres' other user passes through. @returns its real path */
export function prepareDataDir(dataDir: string): string {
  const mode = process.getuid?.() === 0 && process.platform !== "linux" ? 0o711 : 0o700;
  try {
    fs.mkdirSync(dataDir, { recursive: true, mode });
    fs.accessSync(dataDir, fs.constants.W_OK | fs.constants.X_OK);
    return fs.realpathSync(dataDir);
  } catch (error) {
    throw new EmbeddedPostgresError(
      `Cannot write to DATA_DIR ${path.resolve(dataDir)} (${errorCode(error)}). ` +
        "Set DATA_DIR to a folder that you own.",
    );
  }
}

/** Creates the cluster if there is none, in a sibling folder, so that an incomplete one is never used. */
export async function ensureCluster(cluster: Cluster): Promise<void> {
  const { dataDir, folder, password, programs, user } = cluster;
  if (fs.existsSync(path.join(folder, "PG_VERSION"))) {
    if (user.uid !== undefined && fs.statSync(folder).uid !== user.uid) chownTo(user, folder);
    readPassword(cluster);
    return;
  }
  if (fs.existsSync(folder) && fs.readdirSync(folder).length > 0)
    throw new EmbeddedPostgresError(
      `${folder} is not a Postgres data folder. Move it away, or set DATA_DIR to another folder.`,
    );
  for (const name of fs.readdirSync(dataDir).filter((each) => each.startsWith("postgres-new-")))
    fs.rmSync(path.join(dataDir, name), { recursive: true, force: true });
  if (!fs.statSync(password, { throwIfNoEntry: false })?.size)
    fs.writeFileSync(password, randomBytes(24).toString("base64url"), { mode: 0o600 });
  const staging = fs.mkdtempSync(path.join(dataDir, "postgres-new-"));
  try {
    const fresh = path.join(staging, "cluster");
    fs.mkdirSync(fresh, { mode: 0o700 });
    fs.writeFileSync(path.join(staging, "password"), readPassword(cluster), { mode: 0o600 });
    chownTo(user, staging);
    const { status, output } = await runProgram(programs, "initdb", fresh, user, [
      "--pgdata",
      ownName(user, fresh),
      `--username=${SUPERUSER}`,
      "--auth=scram-sha-256",
      "--pwfile=../password",
      "--encoding=UTF8",
      "--locale=C",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      "--no-instructions",
    ]);
    if (status !== 0) throw new Error(`initdb: ${lastError(output)}`);
    // Empty, as checked above.
    if (fs.existsSync(folder)) fs.rmdirSync(folder);
    fs.renameSync(fresh, folder);
  } finally {
    fs.rmSync(staging, { recursive: true, force: true });
  }
}

/** @throws EmbeddedPostgresError without its file, since nothing else has the password */
export function readPassword({ password }: Cluster): string {
  try {
    return fs.readFileSync(password, "utf8").trim();
  } catch (error) {
    throw new EmbeddedPostgresError(
      `Cannot read ${password} (${errorCode(error)}), the password file of the embedded Postgres. ` +
        "Restore it from a backup.",
    );
  }
}
