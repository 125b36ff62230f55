import type { Sql, TransactionSql } from "postgres";

interface ClusterSetting {
  name: string;
  value: string;
  /** A shorter time is fine too. */
  isLongest?: true;
  why: string;
}

/** Settings of the coordinator's database. Its owner may set them. */
export const DATABASE_SETTINGS: readonly ClusterSetting[] = [
  {
    name: "citus.multi_shard_modify_mode",
    value: "sequential",
    why: "writing shards in a fixed order prevents deadlocks",
  },
  {
    name: "citus.max_adaptive_executor_pool_size",
    value: "1",
    why: "one connection and one prepared transaction per worker",
  },
  {
    name: "citus.node_connection_timeout",
    value: "3s",
    isLongest: true,
    why: "a connection to an unresponsive worker must time out before the caller does",
  },
  {
    name: "citus.enable_unsafe_triggers",
    value: "on",
    why: "required for row triggers on shards; ours read only their own row",
  },
  {
    name: "jit",
    value: "off",
    why: "Citus estimates 1,000 rows per shard query, so JIT would compile queries that read ten",
  },
];

/** Settings of the coordinator's server. Only a superuser may set them. */
export const SERVER_SETTINGS: readonly ClusterSetting[] = [
  {
    name: "citus.recover_2pc_interval",
    value: "5s",
    isLongest: true,
    why: "transactions left prepared by a crash keep rows locked until they are recovered",
  },
];

/** The settings that differ from `wanted` in this session. Sessions that began before a change still have the old values. */
export async function wrongSettings(
  sql: Sql | TransactionSql,
  wanted: readonly ClusterSetting[],
): Promise<(ClusterSetting & { found: string })[]> {
  const wrong = [];
  for (const setting of wanted) {
    const [row] = await sql<{ found: string | null; isRight: boolean | null }[]>`
      select found, case when ${setting.isLongest ?? false}::boolean
          then found::interval between '1 ms' and ${setting.value}::text::interval
          else found = ${setting.value}::text end as "isRight"
      from nullif(current_setting(${setting.name}::text, true), '') as found`;
    if (!row!.isRight) wrong.push({ ...setting, found: row!.found ?? "not set" });
  }
  return wrong;
}

export const serverStatement = ({ name, value }: ClusterSetting) => `alter system set ${name} = '${value}'`;

export const databaseStatement = (database: string, { name, value }: ClusterSetting) =>
  `alter database ${database} set ${name} = '${value}'`;
