import type { Contender } from "../contenders";
import { cpuTimeMs } from "../cpu-time";
import { median } from "../measure";
import { type LoadPlan, perSecond } from "./load-plan";
import { load } from "./load-process";

export interface MeasuredLoad {
  requestsPerSecond: number;
  /** Including the warm-up. */
  requestsSent: number;
  /** CPU time per request in the service and in Postgres, which a busy machine affects less. */
  serviceCpuMs: number;
  databaseCpuMs: number;
}

/** One run of load on a contender that is paused before and after. @throws Error if anything is refused */
export async function measureLoad(
  plan: LoadPlan,
  contender: Contender | null,
  postgresPid: number,
): Promise<MeasuredLoad> {
  await contender?.resume();
  const before = cpuOf(contender, postgresPid);
  const result = await load(plan);
  const after = cpuOf(contender, postgresPid);
  contender?.pause();
  if (result.refused > 0) throw new Error(`${result.refused} requests were refused: ${result.firstRefusal}`);
  return {
    requestsPerSecond: perSecond(result),
    requestsSent: result.requestsSent,
    serviceCpuMs: (after.service - before.service) / result.requestsSent,
    databaseCpuMs: (after.database - before.database) / result.requestsSent,
  };
}

function cpuOf(contender: Contender | null, postgresPid: number) {
  return { service: contender ? cpuTimeMs(contender.pid) : 0, database: cpuTimeMs(postgresPid) };
}

/** One field of every round. */
export const each = (rounds: readonly MeasuredLoad[], field: keyof MeasuredLoad): number[] =>
  rounds.map((round) => round[field]);

/** One line of progress. */
export function sayLoads(what: string, measured: ReadonlyMap<string, MeasuredLoad[]>): void {
  const words = [...measured].map(([name, rounds]) => {
    const [rate, service, database] = (["requestsPerSecond", "serviceCpuMs", "databaseCpuMs"] as const).map(
      (field) => median(each(rounds, field)).toPrecision(3),
    );
    return `${name} ${rate}/s (CPU ${service} + ${database} ms)`;
  });
  console.log(`  ${what}: ${words.join(", ")}`);
}
