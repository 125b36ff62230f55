import { drizzle } from "drizzle-orm/postgres-js";
import postgres, { type Sql } from "postgres";
import type { Database } from "@/db/client";
import { SESSION_SETTINGS } from "@/db/session-settings";

/** One step of a plan, in Postgres' format. */
export interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Index Cond"?: string;
  "CTE Name"?: string;
  Filter?: string;
  "Plan Rows": number;
  "Total Cost": number;
  /** Only for a statement that ran. */
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: PlanNode[];
}

interface Options {
  /** Run the statement. */
  analyze?: boolean;
  /** Use the generic plan. */
  generic?: boolean;
  /** Read a whole table only if no index helps. Of small tables, joins and scans do it otherwise. */
  avoidSeqScan?: boolean;
  /** Build no bitmap of what an index finds. */
  avoidBitmap?: boolean;
}

const READ_NO_WHOLE_TABLE = ["seqscan", "hashjoin", "mergejoin"]
  .map((way) => `set local enable_${way} = off`)
  .join(";");

/** The plan of a statement. */
export async function explain(
  db: Pick<Database, "sql">,
  text: string,
  values: readonly unknown[] = [],
  { analyze, generic, avoidSeqScan, avoidBitmap }: Options = {},
): Promise<PlanNode[]> {
  const how = ["format json", ...(analyze ? ["analyze"] : []), ...(generic ? ["generic_plan"] : [])];
  const given = generic ? [] : values;
  const [row] = await db.sql.begin(async (tx) => {
    if (avoidSeqScan) await tx.unsafe(READ_NO_WHOLE_TABLE);
    if (avoidBitmap) await tx`set local enable_bitmapscan = off`;
    return await tx.unsafe<{ "QUERY PLAN": { Plan: PlanNode }[] }[]>(
      `explain (${how}) ${text}`,
      given as string[],
    );
  });
  return [row!["QUERY PLAN"][0]!.Plan];
}

/** Runs what sends statements over a connection of its own, and returns these, except for Citus' catalog. */
export async function statementsOf<Result>(url: string, send: (sql: Sql) => PromiseLike<Result>) {
  const sent: { text: string; values: unknown[] }[] = [];
  const debug = (_: unknown, text: string, values: unknown[]) => sent.push({ text, values });
  const watched = postgres(url, { max: 1, connection: SESSION_SETTINGS, debug });
  // Sets the parsers of the service.
  drizzle(watched);
  const result = await send(watched);
  await watched.end();
  return { result, sent: sent.filter(({ text }) => !/pg_dist_|pg_catalog/.test(text)) };
}

/** The rows that plan steps read from tables, with those that a filter removed. */
export const rowsRead = (nodes: readonly PlanNode[], tables: readonly string[]): number =>
  nodes
    .filter((node) => tables.includes(node["Relation Name"] ?? ""))
    .reduce(
      (sum, node) =>
        sum + (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"],
      0,
    );

/** Every step of the plans. */
export const nodesOf = (plans: readonly PlanNode[]): PlanNode[] =>
  plans.flatMap((plan) => [plan, ...nodesOf(plan.Plans ?? [])]);

/** The same database, and the text of each statement that drizzle sends or writes. */
export function recordStatements(db: Database) {
  const sent: { text: string; values: (string | number)[] }[] = [];
  const sql = new Proxy(db.sql, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name !== "unsafe") return value;
      return (...words: [string, (string | number)[]?, object?]) => {
        // Without values it is only a part of a statement.
        if (words[1]) sent.push({ text: words[0], values: words[1] });
        return (value as (...given: unknown[]) => unknown)(...words);
      };
    },
  });
  return { db: { ...db, sql, orm: drizzle(sql) }, sent };
}

/**
 * An insert into `batch_transfers` from one row per transfer.
 * @param rows a select of `batch_seq, contract_address, position, to_address, points`
 */
export const packedRows = (rows: string): string => `
  insert into batch_transfers (batch_seq, contract_address, addresses, points)
  select batch_seq, contract_address, string_agg(to_address, ''::bytea order by position),
    array_agg(points order by position)
  from (${rows}) as transfers group by batch_seq, contract_address`;

/**
 * Every stored transfer as a row: `batch_seq, contract_address, position` from 0, `to_address, points`. Tests
 * use this and not the service's SQL, so that an error in one shows in the other.
 */
export const TRANSFER_ROWS = `
  (select t.batch_seq, t.contract_address, u.position - 1 as position,
    substring(t.addresses from u.position::int * 20 - 19 for 20) as to_address, u.points
  from batch_transfers t, unnest(t.points) with ordinality as u (points, position))`;
