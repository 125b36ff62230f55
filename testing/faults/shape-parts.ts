import { type Nginx, startNginx } from "../cluster/start-nginx";
import { startPgBouncer } from "../pg-bouncer";
import type { FaultRun } from "./fault-row";

/** Apply to one process only, not to the others of a shape. */
const OF_ONE = ["LD_PRELOAD", "NODE_OPTIONS"];

const poolers = new WeakMap<FaultRun, Map<string, ReturnType<typeof startPgBouncer>>>();

/** The same settings, through one PgBouncer in transaction mode per database of a row. */
export async function throughPooler(
  run: FaultRun,
  environment: Record<string, string>,
): Promise<Record<string, string>> {
  const direct = environment.DATABASE_URL;
  if (run.shape !== "pooled" || !direct) return environment;
  const ofRow = poolers.get(run) ?? new Map();
  poolers.set(run, ofRow);
  let pooler = ofRow.get(direct);
  if (!pooler) {
    pooler = startPgBouncer(direct);
    ofRow.set(direct, pooler);
    const { stop } = await pooler;
    run.cleanup.add(stop);
  }
  return {
    ...environment,
    DATABASE_URL: (await pooler).url,
    DATABASE_MIGRATION_URL: direct,
    DATABASE_POOLER: "transaction",
  };
}

/** The settings that a host shares with the other instances of its shape. */
export function sharedEnvironment(
  environment: Record<string, string>,
  embedded: () => string,
): Record<string, string> {
  const shared = Object.entries(environment).filter(([name]) => !OF_ONE.includes(name));
  return { ...Object.fromEntries(shared), DATABASE_URL: environment.DATABASE_URL ?? embedded() };
}

export async function startNginxInFront(run: FaultRun, urls: readonly string[]): Promise<Nginx> {
  const nginx = await startNginx({ upstreams: urls.map((url) => new URL(url).host) });
  run.cleanup.add(() => nginx.stop());
  return nginx;
}
