import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { type LocalNode, localNodes } from "./local-nodes";

export interface OwnCluster {
  url: string;
  /** The coordinator, then the workers. */
  nodes: readonly LocalNode[];
  /** Freezes a worker's processes, like a hung machine. @returns a function that resumes them */
  hang(worker: number): () => void;
  stop(): Promise<void>;
}

const NODES = 3;
const STARTED_WITHIN_MS = 120_000;

/** A coordinator and two workers in their own folder, which a test may break. */
export async function startOwnCluster(): Promise<OwnCluster> {
  const folder = mkdtempSync(path.join(tmpdir(), "ptb-citus-"));
  chmodSync(folder, 0o711);
  const port = await freePorts();
  const words = ["citus", "--port", String(port), "--data", folder, "fsync=off", "shared_buffers=32MB"];
  const child = spawn(process.execPath, ["server/launch.mjs", ...words], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const url = await urlOf(child);
    const nodes = await localNodes(url);
    if (!nodes) throw new Error("the cluster is not on this machine");
    const hang = (worker: number) => hangNode(path.join(folder, `node-${port + worker}`));
    return { url, nodes, hang, stop: () => end(child, folder) };
  } catch (error) {
    await end(child, folder);
    throw error;
  }
}

/** The first of NODES consecutive free ports. */
async function freePorts(): Promise<number> {
  for (;;) {
    const first = 20_000 + Math.floor(Math.random() * 10_000);
    const free = await Promise.all(Array.from({ length: NODES }, (_, at) => isFree(first + at)));
    if (free.every(Boolean)) return first;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}

function urlOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error("the cluster did not start in time")), STARTED_WITHIN_MS);
    late.unref();
    let said = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const url = /^CITUS_URL=(\S+)$/m.exec(said)?.[1];
      if (url) resolve(url);
    });
    child.once("exit", (code) => reject(new Error(`the cluster exited with ${code}`)));
  });
}

async function end(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null) {
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await gone;
  }
  rmSync(folder, { recursive: true, force: true });
}

/** The server and all its processes. */
function hangNode(dataDir: string): () => void {
  const postmaster = Number(readFileSync(path.join(dataDir, "postmaster.pid"), "utf8").split("\n")[0]);
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, "utf8");
  const pids = [postmaster, ...children.split(" ").filter(Boolean).map(Number)];
  for (const pid of pids) process.kill(pid, "SIGSTOP");
  return () => {
    for (const pid of pids)
      try {
        process.kill(pid, "SIGCONT");
      } catch {
        // It has exited meanwhile.
      }
  };
}
