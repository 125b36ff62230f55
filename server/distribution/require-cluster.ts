import type { TransactionSql } from "postgres";
import { schemaIsCurrent } from "@/db/migrate";
import { DomainError } from "../kernel/values/problems";
import { type ClusterNode, readNodes } from "./cluster-nodes";

/** Every version from this one on is taken; this is the one that was run. */
export const CITUS_MAJOR = 13;

/**
 * The nodes of a cluster that tables can be distributed over.
 * @throws DomainError `validation_failed` with the one thing that is missing and what to do
 */
export async function requireCluster(tx: TransactionSql): Promise<ClusterNode[]> {
  await requireCitus(tx);
  await requireCoordinator(tx);
  const nodes = await readNodes(tx);
  requireWorkers(nodes);
  requireAnswers(nodes, await roleOf(tx));
  const { current } = await schemaIsCurrent(tx as unknown as Parameters<typeof schemaIsCurrent>[0]);
  if (!current)
    throw refused(
      "The schema is not this version's.",
      "Run `npm run -s ops -- migrate`, then distribute again.",
    );
  return nodes;
}

/** A refusal of the whole command, in one line. */
export const refused = (what: string, remedy: string) =>
  new DomainError("validation_failed", `${what} Nothing was changed. ${remedy}`);

async function requireCitus(tx: TransactionSql): Promise<void> {
  const [citus] = await tx<{ version: string; isLoaded: boolean }[]>`
    select extversion as version, current_setting('citus.version', true) is not null as "isLoaded"
    from pg_extension where extname = 'citus'`;
  if (!citus)
    throw refused(
      "This database has no Citus: its extension is missing.",
      "Install Citus on every node, run `create extension citus`, add the workers, then distribute again. One Postgres without it serves as it is.",
    );
  if (!citus.isLoaded)
    throw refused(
      "The server has not loaded Citus.",
      "Put citus first in shared_preload_libraries of every node and restart it.",
    );
  if (Number.parseInt(citus.version, 10) < CITUS_MAJOR)
    throw refused(
      `Citus ${citus.version} is older than ${CITUS_MAJOR}, which this service was tested with.`,
      "Upgrade Citus on every node and run `alter extension citus update`.",
    );
}

async function requireCoordinator(tx: TransactionSql): Promise<void> {
  const [here] = await tx<{ isWorker: boolean; isKnown: boolean }[]>`
    select (select groupid <> 0 from pg_dist_local_group) as "isWorker",
      exists (select 1 from pg_dist_node where groupid = 0) as "isKnown"`;
  if (here!.isWorker)
    throw refused(
      "DATABASE_URL names a worker.",
      "The service and this command need the coordinator's address.",
    );
  if (!here!.isKnown)
    throw refused(
      "Citus does not know the coordinator's address.",
      "Run `select citus_set_coordinator_host('<host>', <port>)` there, with a host that the workers reach.",
    );
}

function requireWorkers(nodes: readonly ClusterNode[]): void {
  if (nodes.some(({ isCoordinator, holdsShards }) => !isCoordinator && holdsShards)) return;
  throw refused(
    "The coordinator has no worker that may hold shards.",
    "Run `select citus_add_node('<host>', <port>)` for each worker.",
  );
}

function requireAnswers(nodes: readonly ClusterNode[], role: string): void {
  const silent = nodes.filter(({ state }) => state === null).map(({ address }) => address);
  if (silent.length > 0)
    throw refused(
      `The coordinator cannot connect as ${role} to ${silent.join(", ")}.`,
      "Look whether the node is up, has that role, and lets it in from the coordinator (pg_hba.conf, and a password in .pgpass).",
    );
  const unprepared = nodes.filter(({ state }) => state?.maxPreparedTransactions === 0);
  if (unprepared.length > 0)
    throw refused(
      `max_prepared_transactions is 0 on ${unprepared.map(({ address }) => address).join(", ")}.`,
      "Set it to at least max_connections and restart the node.",
    );
}

async function roleOf(tx: TransactionSql): Promise<string> {
  const [row] = await tx<{ role: string }[]>`select current_user::text as role`;
  return row!.role;
}
