import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { startApp } from "../contenders";
import type { LoadPlan } from "../load/load-plan";
import { load } from "../load/load-process";
import { spreadOf, table } from "../measure";
import type { BenchOptions, Figure, PartReport } from "../report";
import { makeCallers, type World } from "../world";

const SAMPLE_EVERY_MS = 2000;
const REST_SECONDS = 10;
const TURN_SECONDS = 15;

/** The Node process's memory at rest, and while large submits, small submits and lists alternate, with everything in the host enabled. */
export async function benchMemory({ minutes }: BenchOptions, world: World): Promise<PartReport> {
  const { db, url: databaseUrl } = await world.newDatabase("memory");
  const callers = await makeCallers(db, 16);
  const app = await startApp(world, { databaseUrl, environment: { FINALIZER: "on" } });
  const samples: { seconds: number; mb: number }[] = [];
  let startedAt = 0;
  const sampling = setInterval(
    () => samples.push({ seconds: (performance.now() - startedAt) / 1000, mb: residentMb(app.pid) }),
    SAMPLE_EVERY_MS,
  );
  world.atEnd(() => clearInterval(sampling));
  await sleep(REST_SECONDS * 1000);
  const restMb = residentMb(app.pid);
  samples.length = 0;
  startedAt = performance.now();
  let requests = 0;
  const works: LoadPlan["work"][] = [
    { kind: "submit", transfers: 2000, letters: "eip55", bodies: 32 },
    { kind: "submit", transfers: 10, letters: "eip55", bodies: 640 },
    { kind: "get", targets: ["/v1/contracts/{contract}/batches?limit=200"] },
  ];
  for (let turn = 0; performance.now() - startedAt < minutes * 60_000; turn++) {
    const work = works[turn % works.length]!;
    const result = await load({
      url: app.url,
      connections: 16,
      warmUpSeconds: 0,
      seconds: TURN_SECONDS,
      work,
      callers,
    });
    if (result.refused > 0)
      throw new Error(`${result.refused} requests were refused: ${result.firstRefusal}`);
    requests += result.requests;
  }
  const within = (from: number, to: number) =>
    Math.max(...samples.filter(({ seconds }) => seconds >= from && seconds < to).map(({ mb }) => mb));
  const endsAt = minutes * 60;
  const [second, last, most] = [within(60, 120), within(endsAt - 60, Infinity), within(0, Infinity)];
  console.log(
    `  memory, MB: rest ${restMb}, second minute ${second}, last ${last}, most ${most}; ${requests} requests`,
  );
  return reportOf({ restMb, second, last, most, requests, minutes });
}

function reportOf(
  seen: Record<"restMb" | "second" | "last" | "most" | "requests" | "minutes", number>,
): PartReport {
  const { restMb, second, last, most, requests, minutes } = seen;
  const figure = (key: string, what: string, value: number, atMost?: number): Figure => ({
    key: `memory.${key}`,
    what,
    worse: "higher",
    ...spreadOf([value]),
    ...(atMost && { target: { atMost } }),
  });
  return {
    title: "Memory of the Node process, MB",
    rounds: 1,
    text: table(
      ["at rest", "maximum in the second minute", "maximum in the last minute", "maximum", "load"],
      [
        [restMb, second, last, most]
          .map(String)
          .concat(`${minutes} min, ${requests} requests at 16 connections`),
      ],
    ),
    figures: [
      figure("rest", "memory at rest, MB", restMb),
      figure("most", "memory under load, MB", most, 350),
      figure("flat", "memory, last minute × second minute", last / second, 1.1),
    ],
  };
}

/** A process's resident memory in MB; 0 without /proc. */
function residentMb(pid: number): number {
  try {
    return Math.round(
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024,
    );
  } catch {
    return 0;
  }
}
