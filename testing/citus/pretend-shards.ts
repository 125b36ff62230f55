import type { Database } from "@/db/client";

export const SHARDS_PRETENDED = 4;

let pretended = false;

/** Whether this test file sends its statements in their Citus form. */
export const shardsArePretended = () => pretended;

/** For the next test file. */
export const pretendNoShards = () => {
  pretended = false;
};

/**
 * Makes the service send its Citus statements to one Postgres, by adding the parts of Citus' catalog that it reads. Contracts
 * are spread over four pretend shards. On Citus it changes nothing.
 */
export async function pretendShards({ sql }: Pick<Database, "sql">): Promise<void> {
  if ((await sql`select 1 from pg_extension where extname = 'citus'`).length > 0) return;
  pretended = true;
  const [made] = await sql<
    { before: boolean }[]
  >`select to_regclass('pg_dist_partition') is not null as before`;
  if (made!.before) return;
  await sql.unsafe(`
    create function get_shard_id_for_distribution_column(relation regclass, value bytea) returns bigint
      language sql immutable as 'select 102008 + get_byte(sha256(value), 0) % ${SHARDS_PRETENDED}';
    create function run_command_on_workers(command text)
      returns table (nodename text, nodeport int, success boolean, result text)
      language sql as $$select 'worker', 5432, true, ''$$;
    create view citus_stat_activity as select *, pid::bigint as global_pid from pg_stat_activity;
    create function citus_coordinator_nodeid() returns int language sql as 'select 0';
    create function citus_calculate_gpid(node int, pid int) returns bigint language sql as 'select pid::bigint';
    create table pg_dist_partition (logicalrelid regclass, partmethod "char");
    insert into pg_dist_partition values ('batches', 'h')`);
}

/** The shard of a contract's rows. */
export async function shardOf({ sql }: Pick<Database, "sql">, contract: string): Promise<string> {
  const [row] = await sql<{ shard: string }[]>`
    select get_shard_id_for_distribution_column('batches'::regclass, ${Buffer.from(contract.slice(2), "hex")}) as shard`;
  return row!.shard;
}
