import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { EmbeddedPostgresError } from "./embedded-error";

/** Whom Postgres runs as: empty unless we are root, whom Postgres refuses. */
export interface ServerUser {
  uid?: number;
  gid?: number;
}

/**
 * The owner of an existing cluster, else `postgres`, else `nobody`; nobody in particular unless we are root.
 * @throws EmbeddedPostgresError when root finds none of them.
 */
export function serverUser(clusterDir: string): ServerUser {
  if (process.getuid?.() !== 0) return {};
  const owner = fs.statSync(clusterDir, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  for (const name of ["postgres", "nobody"]) {
    const uid = numberOf("-u", name);
    const gid = numberOf("-g", name);
    if (uid && gid) return { uid, gid };
  }
  throw new EmbeddedPostgresError(
    "Postgres does not run as root and there is no user `postgres` or `nobody`; start as another user or set DATABASE_URL.",
  );
}

function numberOf(flag: string, name: string): number | null {
  const run = spawnSync("id", [flag, name], { encoding: "utf8" });
  return run.status === 0 ? Number(run.stdout) : null;
}

/** Gives a folder and all that is in it to the server's user. */
export function giveTo(user: ServerUser, dir: string): void {
  if (user.uid === undefined || user.gid === undefined) return;
  fs.lchownSync(dir, user.uid, user.gid);
  if (!fs.lstatSync(dir).isDirectory()) return;
  for (const entry of fs.readdirSync(dir)) giveTo(user, path.join(dir, entry));
}

/**
 * The name by which the server's user reaches `dir` when it starts inside it. Below a folder closed to that user
 * (a home of mode 0700) the full path fails, but Linux lets a process reach its own working folder through /proc.
 */
export function reachableName(user: ServerUser, dir: string): string {
  if (user.uid === undefined) return dir;
  const cd = spawnSync("/bin/sh", ["-c", 'cd "$0"', dir], { ...user, cwd: "/" });
  if (cd.status === 0) return dir;
  if (process.platform === "linux" && fs.existsSync("/proc/self/cwd")) return "/proc/self/cwd";
  throw new EmbeddedPostgresError(
    `User ${user.uid} cannot enter ${dir}; set DATA_DIR to a folder open to it, or start as another user.`,
  );
}
