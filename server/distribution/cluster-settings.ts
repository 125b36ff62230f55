import type { Sql, TransactionSql } from "postgres";

interface ClusterSetting {
  name: string;
  value: string;
  /** A shorter time is as good. */
  isLongest?: true;
  why: string;
}

/** What the database on the coordinator needs; its owner may set it. */
export const DATABASE_SETTINGS: readonly ClusterSetting[] = [
  {
    name: "citus.multi_shard_modify_mode",
    value: "sequential",
    why: "shards written in one order cannot deadlock",
  },
  {
    name: "citus.max_adaptive_executor_pool_size",
    value: "1",
    why: "one connection and one prepared transaction a worker",
  },
  {
    name: "citus.node_connection_timeout",
    value: "3s",
    isLongest: true,
    why: "a worker that does not answer is given up before the caller is",
  },
  {
    name: "citus.enable_unsafe_triggers",
    value: "on",
    why: "Citus copies row triggers to shards only then; ours look at their own row alone",
  },
  {
    name: "jit",
    value: "off",
    why: "Citus expects 1,000 rows of every part of a statement, and would compile what reads ten",
  },
];

/** What the coordinator's server needs; only a superuser may set it. */
export const SERVER_SETTINGS: readonly ClusterSetting[] = [
  {
    name: "citus.recover_2pc_interval",
    value: "5s",
    isLongest: true,
    why: "what a crash left prepared keeps its rows locked until then",
  },
];

/** The settings that differ in a new session of this role. The pool of a caller that changed them still has those of before. */
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

/** The statement for an administrator. */
export const serverStatement = ({ name, value }: ClusterSetting) => `alter system set ${name} = '${value}'`;

export const databaseStatement = (database: string, { name, value }: ClusterSetting) =>
  `alter database ${database} set ${name} = '${value}'`;
