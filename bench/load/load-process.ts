import { fork } from "node:child_process";
import { runSql } from "../peers/sql";
import { driveFor, driveToLastReply } from "./drive";
import { HttpConnection } from "./http-connection";
import type { LoadPlan, LoadResult } from "./load-plan";
import { makeRequests } from "./make-requests";

/** The argument that makes the benchmark's program a load process. */
export const LOAD_WORD = "load-process";

/** Extra time for preparing requests and for the last replies. */
const GRACE_SECONDS = 60;
const TO_LAST_REPLY_SECONDS_MAX = 600;

/** Runs a load in its own process. A Postgres `url` means the peer without HTTP. */
export function load(plan: LoadPlan): Promise<LoadResult> {
  const graceSeconds = plan.toLastReply ? TO_LAST_REPLY_SECONDS_MAX : GRACE_SECONDS;
  return new Promise((resolve, reject) => {
    const child = fork(process.argv[1]!, [LOAD_WORD], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    const timer = setTimeout(
      () => {
        child.kill("SIGKILL");
        reject(new Error("the load did not finish in time"));
      },
      (plan.warmUpSeconds + plan.seconds + graceSeconds) * 1000,
    );
    child.once("message", (result) => resolve(result as LoadResult));
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      clearTimeout(timer);
      if (code !== 0) reject(new Error(`the load exited with ${code ?? signal}`));
    });
    child.send(plan);
  });
}

/** Runs in the child process. */
export function answerLoadPlan(): void {
  process.once("message", (message) => {
    const plan = message as LoadPlan;
    const { work } = plan;
    const running =
      plan.url.startsWith("postgres") && work.kind === "submit" ? runSql({ ...plan, work }) : runLoad(plan);
    void running.then((result) => {
      process.send!(result, undefined, undefined, () => process.exit(0));
    });
  });
}

/** Calls one after the other on each connection, until the time is over. */
async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  const requests = makeRequests(plan);
  const connections = await Promise.all(
    Array.from({ length: plan.connections }, () => HttpConnection.open(plan.url)),
  );
  let next = 0;
  let refused = 0;
  let firstRefusal: string | null = null;
  const drive = plan.toLastReply ? driveToLastReply : driveFor;
  const driven = await drive(plan, connections, async (connection) => {
    const reply = await connection.send(requests[next++ % requests.length]!);
    if (reply.status === 200 || reply.status === 201) return;
    refused++;
    firstRefusal ??= reply.bytes.toString("utf8").slice(0, 600);
  });
  for (const connection of connections) connection.close();
  return { ...driven, refused, firstRefusal };
}
