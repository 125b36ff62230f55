import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { urlAt, withSql } from "./make-database";
import { runProgram } from "./postgres-programs";
import { workersOf } from "./test-databases";

/** A node of the cluster on this machine. */
export interface LocalNode {
  name: string;
  /** Kills all its processes at the same time, like a crash. */
  stopHard(): void;
  /** Starts it with the same options as before. */
  start(): void;
}

/**
 * The coordinator, then the workers.
 * @returns null when one of them cannot be stopped from here
 */
export async function localNodes(citusUrl: string): Promise<LocalNode[] | null> {
  const places = [{ name: "coordinator", url: citusUrl }];
  for (const [index, worker] of (await workersOf(citusUrl)).entries())
    places.push({ name: `worker ${index + 1}`, url: urlAt(citusUrl, worker) });
  const nodes: LocalNode[] = [];
  for (const { name, url } of places) {
    const dataDir = await withSql(url, async (sql) => {
      const [row] = await sql<{ data_directory: string }[]>`show data_directory`;
      return row!.data_directory;
    });
    if (!isServedHere(dataDir, Number(new URL(url).port))) return null;
    const log = path.join(dataDir, "postgres.log");
    nodes.push({
      name,
      stopHard: () => runProgram("pg_ctl", dataDir, ["stop", "-w", "-m", "immediate"]),
      // Unlike `start`, it reuses the last start's options and accepts a stopped server.
      start: () => runProgram("pg_ctl", dataDir, ["restart", "-w", "-l", log]),
    });
  }
  return nodes;
}

/** A local folder of that name may belong to another server. */
function isServedHere(dataDir: string, port: number): boolean {
  const file = path.join(dataDir, "postmaster.pid");
  try {
    return existsSync(file) && Number(readFileSync(file, "utf8").split("\n")[3]) === port;
  } catch {
    return false;
  }
}
