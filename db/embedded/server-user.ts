import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import { EmbeddedPostgresError } from "./errors";

/** The user that Postgres runs as. Empty unless we are root, which Postgres refuses to run as. */
export type ServerUser = { uid?: number; gid?: number };

/** For root: the folder's owner, `postgres` or `nobody`. Otherwise empty. @throws EmbeddedPostgresError */
export function serverUser(clusterDir: string): ServerUser {
  if (process.getuid?.() !== 0) return {};
  const owner = fs.statSync(clusterDir, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  for (const name of ["postgres", "nobody"]) {
    const [uid, gid] = ["-u", "-g"].map((flag) => Number(spawnSync("id", [flag, name]).stdout));
    if (uid && gid) return { uid, gid };
  }
  throw new EmbeddedPostgresError(
    "Postgres cannot run as root, and there is no user `postgres` or `nobody`. " +
      "Start as another user, or set DATABASE_URL.",
  );
}

/** Gives a folder and its contents to the server's user. */
export function chownTo({ uid, gid }: ServerUser, dir: string): void {
  if (uid !== undefined) execFileSync("chown", ["-Rh", `${uid}:${gid}`, dir]);
}

/** Its path may lead through folders closed to the user, but on Linux a process reaches its own by /proc. */
export const ownName = (user: ServerUser, dir: string) =>
  user.uid !== undefined && process.platform === "linux" ? "/proc/self/cwd" : dir;
