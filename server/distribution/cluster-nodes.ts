import type { Sql, TransactionSql } from "postgres";

/** A server of the cluster, as Citus knows it. */
export interface ClusterNode {
  /** `host:port`. */
  address: string;
  isCoordinator: boolean;
  /** Whether it may hold shards. */
  holdsShards: boolean;
  /** Of `batches`: as many of every table of its group. */
  shards: number;
  /** What it said of itself; null when it did not let this role in. */
  state: NodeState | null;
}

export interface NodeState {
  maxConnections: number;
  maxPreparedTransactions: number;
  fsync: string;
  walLevel: string;
  /** Transactions of this database that are prepared and not committed. */
  prepared: number;
  oldestPreparedSeconds: number | null;
}

const ASKED = `select json_build_object(
  'maxConnections', current_setting('max_connections')::int,
  'maxPreparedTransactions', current_setting('max_prepared_transactions')::int,
  'fsync', current_setting('fsync'), 'walLevel', current_setting('wal_level'),
  'prepared', count(gid), 'oldestPreparedSeconds', floor(extract(epoch from now() - min(prepared))))
from pg_prepared_xacts where database = current_database()`;

/** The coordinator and the active workers, each asked how it is. */
export async function readNodes(sql: Sql | TransactionSql): Promise<ClusterNode[]> {
  const rows = await sql<(Omit<ClusterNode, "state"> & { state: string | null })[]>`
    select nodename || ':' || nodeport as address, groupid = 0 as "isCoordinator", shouldhaveshards as "holdsShards",
      (select count(*)::int from pg_dist_placement p join pg_dist_shard s using (shardid)
        where p.groupid = n.groupid and s.logicalrelid = to_regclass('batches')) as shards,
      case when said.success then said.result end as state
    from pg_dist_node n left join run_command_on_all_nodes(${ASKED}) as said using (nodeid)
    where n.noderole = 'primary' and n.isactive order by groupid`;
  return rows.map((row) => ({
    ...row,
    state: row.state === null ? null : (JSON.parse(row.state) as NodeState),
  }));
}
