import { fork } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Contender } from "./contenders";
import { type LoadPlan, makeTransfers, type SubmitWork } from "./load-plan";
import { cpuTimeMs } from "./measure";

const CONNECTIONS = 16;
const POINT_TYPE = "PHASE2_POINTS";
const SECONDS_TO_FINALIZE = 3600;
const WARM_UP_SECONDS = 1;
/** The argument that makes the benchmark's program a load process. */
export const LOAD_WORD = "load-process";

/** Runs a load on a contender that is paused before and after. @throws Error if a request is refused */
export async function measureLoad(plan: LoadPlan, contender: Contender, postgresPid: number) {
  await contender.resume();
  const cpu = () => [cpuTimeMs(contender.pid), cpuTimeMs(postgresPid)] as const;
  const before = cpu();
  const child = fork(process.argv[1]!, [LOAD_WORD], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  child.send(plan);
  const [done] = await Promise.race([once(child, "message"), once(child, "exit")]);
  const after = cpu();
  contender.pause();
  if (!done?.requests) throw new Error("no request was answered in time, or one was refused");
  const { requests, requestsSent, p99Ms } = done as Record<"requests" | "requestsSent" | "p99Ms", number>;
  return {
    perSecond: requests / plan.seconds,
    serviceCpuMs: (after[0] - before[0]) / requestsSent,
    databaseCpuMs: (after[1] - before[1]) / requestsSent,
    requestsSent,
    p99Ms,
  };
}

/** In the child process: calls one after the other on each connection, and counts what ends in the time. */
export async function answerLoadPlan(): Promise<void> {
  const [plan] = (await once(process, "message")) as [LoadPlan];
  setTimeout(() => process.exit(1), (plan.seconds + 60) * 1000).unref();
  const senders = await openConnections(plan);
  let next = 0;
  const took: number[] = [];
  const startsAt = performance.now() + WARM_UP_SECONDS * 1000;
  const endsAt = startsAt + plan.seconds * 1000;
  const sendUntilEnd = async (send: (at: number) => Promise<void>) => {
    while (performance.now() < endsAt) {
      const sentAt = performance.now();
      await send(next++);
      const now = performance.now();
      if (now >= startsAt && now <= endsAt) took.push(now - sentAt);
      if (plan.everyMs) await sleep(sentAt + plan.everyMs - now);
    }
  };
  await Promise.all(senders.map(sendUntilEnd));
  took.sort((one, other) => one - other);
  const p99Ms = took[Math.floor(took.length * 0.99)];
  process.send!({ requests: took.length, requestsSent: next, p99Ms }, () => process.exit(0));
}

async function openConnections({ url, work, callers }: LoadPlan): Promise<((at: number) => Promise<void>)[]> {
  // The bytes of every request are prepared before the clock starts.
  const length = "paths" in work ? work.paths.length : "query" in work ? callers.length : work.bodies;
  const requests = Array.from({ length }, (_, at) => {
    // A path may be one contract's own.
    const caller = callers["paths" in work ? 0 : at % callers.length]!;
    const body = "transfers" in work ? bodyOf(work) : "";
    const batches = `/v1/contracts/${caller.contractAddress}/batches`;
    const path = "paths" in work ? work.paths[at]! : `${batches}${"query" in work ? work.query : ""}`;
    const head = [
      `${body ? "POST" : "GET"} ${path} HTTP/1.1`,
      `Host: ${new URL(url).host}`,
      `Authorization: Bearer ${caller.token}`,
      ...(body ? ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`] : []),
    ];
    return Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`);
  });
  const opened = await Promise.all(Array.from({ length: CONNECTIONS }, () => openConnection(url)));
  return opened.map((send) => (at) => send(requests[at % requests.length]!));
}

const bodyOf = ({ secondsToFinalize = SECONDS_TO_FINALIZE, ...work }: SubmitWork) =>
  JSON.stringify({ pointType: POINT_TYPE, secondsToFinalize, transfers: makeTransfers(work) });

/**
 * One keep-alive connection that sends prepared requests one after the other. It parses only what the
 * contenders answer, because on two cores the load takes CPU from what it measures.
 */
async function openConnection(url: string): Promise<(request: Buffer) => Promise<void>> {
  const socket = connect(Number(new URL(url).port), new URL(url).hostname).setNoDelay(true);
  await once(socket, "connect");
  let reply = Buffer.alloc(0);
  let settle = (_error?: Error) => {};
  socket.on("error", (error) => settle(error));
  socket.on("close", () => settle(new Error("the service closed a connection")));
  socket.on("data", (chunk) => {
    reply = reply.length === 0 ? chunk : Buffer.concat([reply, chunk]);
    const headEnd = reply.indexOf("\r\n\r\n");
    if (headEnd === -1) return;
    const head = reply.toString("latin1", 0, headEnd);
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1]);
    if (reply.length < headEnd + 4 + length) return;
    const isDone = length >= 0 && /^HTTP\/1.1 20[01]/.test(head);
    settle(isDone ? undefined : new Error(`a request was refused: ${reply.toString("utf8", 0, 600)}`));
    reply = Buffer.alloc(0);
  });
  return (request) =>
    new Promise((resolve, reject) => {
      settle = (error) => (error ? reject(error) : resolve());
      socket.write(request);
    });
}
