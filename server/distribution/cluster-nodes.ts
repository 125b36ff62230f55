import type { Sql, TransactionSql } from "postgres";

/** A server of the cluster, from Citus' metadata. */
export interface ClusterNode {
  /** `host:port`. */
  address: string;
  isCoordinator: boolean;
  /** Whether it may hold shards. */
  holdsShards: boolean;
  /** Shards of `batches`. Every other table of its group has the same number. */
  shards: number;
  /** Null when the coordinator could not connect to it as this role. */
  state: NodeState | null;
}

export interface NodeState {
  maxConnections: number;
  maxPreparedTransactions: number;
  fsync: string;
  walLevel: string;
  /** Prepared but uncommitted transactions of this database. */
  prepared: number;
  oldestPreparedSeconds: number | null;
}

const ASKED = `select json_build_object(
  'maxConnections', current_setting('max_connections')::int,
  'maxPreparedTransactions', current_setting('max_prepared_transactions')::int,
  'fsync', current_setting('fsync'), 'walLevel', current_setting('wal_level'),
  'prepared', count(gid), 'oldestPreparedSeconds', floor(extract(epoch from now() - min(prepared))))
from pg_prepared_xacts where database = current_database()`;

/** The coordinator and the active workers, with their current state. */
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
