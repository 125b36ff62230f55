import postgres, { type Sql } from "postgres";
import type { Database } from "@/db/client";
import { isDistributed } from "@/server/kernel/shards";

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
  "Distributed Query"?: DistributedQuery;
}

interface DistributedQuery {
  Subplans?: { PlannedStmt: { Plan: PlanNode }[] }[];
  Job?: { Tasks: { "Remote Plan": { Plan: PlanNode }[][] }[] };
}

interface Explained {
  "QUERY PLAN": { Plan: PlanNode }[];
}

interface Options {
  /** Run the statement. */
  analyze?: boolean;
  /** Use the generic plan. */
  generic?: boolean;
  /** Scan a whole table only if no index helps; otherwise small tables always do. */
  avoidSeqScan?: boolean;
}

/**
 * The plan of a statement. On Citus the plans of its parts, each for the most expensive shard, with the schema's table and
 * index names; none for a generic plan.
 */
export async function explain(
  db: Pick<Database, "sql">,
  text: string,
  values: readonly unknown[] = [],
  { analyze, generic, avoidSeqScan }: Options = {},
): Promise<PlanNode[]> {
  const onCitus = await isDistributed(db);
  if (onCitus && generic) return [];
  const how = ["format json", ...(analyze ? ["analyze"] : []), ...(generic ? ["generic_plan"] : [])];
  // Citus cannot explain a statement with parameters.
  const [statement, given] = onCitus
    ? [inlined(text, values), []]
    : [text, generic ? [] : values.map(asGiven)];
  const [row] = await db.sql.begin(async (tx) => {
    await tx`set local citus.propagate_set_commands = 'local'`;
    await tx`set local citus.explain_all_tasks = on`;
    if (avoidSeqScan) await tx`set local enable_seqscan = off`;
    return await tx.unsafe<Explained[]>(`explain (${how}) ${statement}`, given as string[]);
  });
  const { Plan } = row!["QUERY PLAN"][0]!;
  return onCitus ? partsOf(withoutShards(Plan)) : [Plan];
}

/** The plan of the single statement that a query sends. */
export async function explainQuery(
  db: Pick<Database, "sql"> & { url: string },
  send: (sql: Sql) => PromiseLike<unknown>,
  options: Options = {},
): Promise<PlanNode[]> {
  const { sent } = await statementsOf(db.url, send);
  const [asked, ...others] = sent;
  if (!asked || others.length > 0) throw new Error(`${sent.length} statements were sent`);
  return await explain(db, asked.text, asked.values, options);
}

/** Runs what sends statements over a connection of its own, and returns these, except for Citus' catalog. */
export async function statementsOf<Result>(url: string, send: (sql: Sql) => PromiseLike<Result>) {
  const sent: { text: string; values: unknown[] }[] = [];
  const watched = postgres(url, { max: 1, debug: (_, text, values) => sent.push({ text, values }) });
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

/** A shard's table and index names end with its number. */
const withoutShards = (plan: PlanNode): PlanNode =>
  JSON.parse(JSON.stringify(plan).replaceAll(/(\w+?)_1\d{5}\b/g, "$1"));

function partsOf(plan: PlanNode): PlanNode[] {
  const queries = nodesOf([plan]).flatMap((node) => node["Distributed Query"] ?? []);
  if (queries.length === 0) return [plan];
  return queries.flatMap(({ Subplans = [], Job }) => [
    ...Subplans.flatMap(({ PlannedStmt }) => partsOf(PlannedStmt[0]!.Plan)),
    ...costliest(Job?.Tasks.flatMap((task) => task["Remote Plan"][0]?.[0]?.Plan ?? []) ?? []),
  ]);
}

function costliest(plans: PlanNode[]): PlanNode[] {
  return plans.sort((a, b) => b["Total Cost"] - a["Total Cost"]).slice(0, 1);
}

const inlined = (text: string, values: readonly unknown[]) =>
  text.replaceAll(/\$(\d+)/g, (_, number) => literal(values[Number(number) - 1]));

function literal(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return `'{${value.map((each) => JSON.stringify(each)).join()}}'`;
  const text = Buffer.isBuffer(value) ? `\\x${value.toString("hex")}` : String(value);
  return `'${text.replaceAll("'", "''")}'`;
}

/** The driver turns a buffer into text when it sends it, and would convert that text again. */
const asGiven = (value: unknown) =>
  typeof value === "string" && /^\\x(?:[0-9a-f]{2})*$/.test(value)
    ? Buffer.from(value.slice(2), "hex")
    : value;
