import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { serverUser } from "@/db/embedded-user";

/** The bin folder of a Postgres with Citus: `CITUS_PG_BIN`, or the first one found on this machine. */
function binFolder(): string {
  const debian = "/usr/lib/postgresql";
  const versions = fs.existsSync(debian) ? fs.readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const asked = spawnSync("pg_config", ["--bindir"], { encoding: "utf8" }).stdout?.trim();
  const folders = process.env.CITUS_PG_BIN
    ? [process.env.CITUS_PG_BIN]
    : [asked, ...versions.map((version) => path.join(debian, version, "bin"))];
  const found = folders.find((folder) => folder && hasCitus(folder));
  if (found) return found;
  throw new Error(
    `No Postgres with the Citus extension in ${folders.filter(Boolean).join(", ") || "this machine's usual folders"}. Install Citus, or set CITUS_PG_BIN to the folder with its pg_ctl.`,
  );
}

function hasCitus(bin: string): boolean {
  const pgConfig = path.join(bin, "pg_config");
  if (!fs.existsSync(path.join(bin, "pg_ctl")) || !fs.existsSync(pgConfig)) return false;
  const share = execFileSync(pgConfig, ["--sharedir"], { encoding: "utf8" }).trim();
  return fs.existsSync(path.join(share, "extension", "citus.control"));
}

let bin: string | undefined;

/** Runs a Postgres program as the data folder's owner, because Postgres refuses root. */
export function runProgram(name: "initdb" | "pg_ctl", dataDir: string, words: string[]): void {
  bin ??= binFolder();
  const run = spawnSync(path.join(bin, name), ["-D", dataDir, ...words], {
    ...serverUser(dataDir),
    cwd: "/",
    env: { PATH: process.env.PATH, LC_ALL: "C", NODE_ENV: process.env.NODE_ENV },
    encoding: "utf8",
    // The server would keep the pipe open, and this call would never return.
    stdio: ["ignore", "ignore", name === "initdb" ? "pipe" : "ignore"],
  });
  if (run.status !== 0)
    throw new Error(
      `${name} ${words[0] ?? ""} failed on ${dataDir}. ${run.error?.message ?? run.stderr ?? ""}`,
    );
}
