import { DISTRIBUTED_TABLES, LOCAL_TABLES, MANAGED_TABLES } from "@/server/distribution/distribute-tables";

const COLUMNS = [...new Set(Object.values(DISTRIBUTED_TABLES))].join("|");
/** A condition that pins a table to the contracts of one shard. */
const SHARD_CONDITION = new RegExp(`\\b(?:${COLUMNS}) = any ?\\(\\$\\d+\\)`);

const MANAGED = Object.keys(MANAGED_TABLES);
/** Citus 13.2.2 then answers "missing FROM-clause entry". */
const RETURNS_INSERTED = new RegExp(
  `^ *with .* insert into (?:${MANAGED.join("|")})\\b.* select .* returning (?!\\d)`,
);
const UNMANAGED = Object.keys(LOCAL_TABLES).filter((table) => !(table in MANAGED_TABLES));
/** Placed by recipients' addresses, so one statement writes to many of their shards. */
const BY_RECIPIENT = new Set<string>(["accounts", "recipient_transfers", "ledger_checkpoint_accounts"]);

const VOLATILE = /\b(?:clock_timestamp|timeofday|random|gen_random_uuid|nextval)\(/;
const NOT_IMMUTABLE = new RegExp(
  `${VOLATILE.source}|\\b(?:now|statement_timestamp|transaction_timestamp|to_char|to_timestamp|date_trunc|` +
    "age|concat|concat_ws|format|json_build_object|jsonb_build_object|to_json|to_jsonb|text_of)\\(|" +
    "\\bcurrent_(?:timestamp|date)\\b",
);
const INTERVAL_ON_COLUMN = /\b\w+_(?:at|until) [+-] (?:\$\d+ \* )?interval\b/;
const ROW_LOCK = / for (?:update|no key update|share|key share)\b/;

/** As `RETURNS_INSERTED`, in a CTE. With ON CONFLICT it runs. Citus 13.0.5. */
const CTE_RETURNS_INSERTED = new RegExp(
  `^ +insert into (?:${MANAGED.join("|")})\\b(?!.* on conflict ).* select .* returning (?!\\d)`,
);
/** Of bytes, which Postgres has only from 18 on. */
const EXTREME_OF_BYTES = /\b(?:max|min)\((?:\w+\.)?\w*(?:address|digest|hash)\)/;

/** `partsOf` leaves `()` of a query. */
const QUERY_IN_VALUES = new RegExp(
  ` insert into (?:${Object.keys(DISTRIBUTED_TABLES).join("|")})\\b.* values .*[ (]\\(\\)`,
);

/** Citus names the shard instead of the table, but not within the check. */
const CHECK_WITH_TABLE = /^ *alter table (\w+) add (?:constraint \w+ )?check .*\b\1\./;

const CTE = /(?:with(?: recursive)?|,) (\w+) as (?:materialized )?\(\)/g;

const RETURNS_INSERTED_WHY = "returns a column of a managed table after WITH: return a constant";

/** Why Citus would refuse a statement or break its guarantees, wherever its rows are; null if not. */
export function whyRefused(statement: string): string | null {
  const text = plain(statement);
  if (CHECK_WITH_TABLE.test(text)) return "adds a check that names its columns with their table";
  if (distributedIn(text).length === 0 && mentionsIn(text, MANAGED).length === 0) return null;
  const parts = partsOf(text);
  return (
    parts.map(whyPartRefused).find(Boolean) ??
    (RETURNS_INSERTED.test(parts.at(-1)!.text) ? RETURNS_INSERTED_WHY : null) ??
    whyInsertRefused(parts, (table) => BY_RECIPIENT.has(table)) ??
    whyNamedTwice(parts) ??
    whyTogetherRefused(parts)
  );
}

function whyPartRefused({ text, before }: Part): string | null {
  if (/ select from /.test(text)) return "selects no column: write `select 1`";
  if (/\blateral $/.test(before) && / offset /.test(text))
    return "has OFFSET in a LATERAL: use GROUP BY the key instead";
  const called = NOT_IMMUTABLE.exec(text)?.[0];
  if (/\blateral $/.test(before) && !text.includes(" from ") && called)
    return `calls ${called}) in a LATERAL without FROM, which Citus cannot push down`;
  if (/ (?:=|<>) null\b/.test(text.replaceAll(/ set .*?(?= from | where | returning |$)/g, " ")))
    return "compares with null, which folds to false";
  if (/ (?:left|right|full) (?:outer )?join /.test(text) && / (?:where|and|on) false /.test(text))
    return "has the condition false beside an outer join, which Citus may refuse on Postgres 15 and 16";
  const extreme = EXTREME_OF_BYTES.exec(text)?.[0];
  if (extreme) return `calls ${extreme}, which Postgres has from 18 on: use ORDER BY and LIMIT`;
  if (/ as $/.test(before) && CTE_RETURNS_INSERTED.test(text))
    return "returns a column of a managed table from a CTE: add ON CONFLICT DO NOTHING";
  if (QUERY_IN_VALUES.test(text)) return "has a subquery in INSERT … VALUES or its RETURNING";
  const changed = changedIn(text);
  if (changed) return whyChangeRefused(text, changed.table);
  const managed = mentionsIn(text, MANAGED).find(({ how }) => how === "update")?.table;
  return managed ? whyVolatile(text.split(" returning ")[0]!, managed) : null;
}

/** The distributed table that a query updates or deletes from. */
function changedIn(text: string): Mention | undefined {
  const isDelete = /^ *(?:with .*)?delete from /.test(text);
  return distributedIn(text).find(({ how }) => how === "update" || (isDelete && how === "from"));
}

function whyVolatile(change: string, table: string): string | null {
  const call = VOLATILE.exec(change)?.[0];
  return call ? `calls ${call}) in a change of ${table}: read it in a separate subquery` : null;
}

function whyChangeRefused(text: string, table: string): string | null {
  const inserted = distributedIn(text).some(({ how }) => how === "into");
  if (inserted) return null;
  const [change, returning = ""] = text.split(" returning ");
  const calls = whyVolatile(change!, table);
  if (calls) return calls;
  const returned = NOT_IMMUTABLE.exec(returning)?.[0];
  if (returned) return `returns ${returned}) from a change of ${table}, which is not immutable`;
  if (INTERVAL_ON_COLUMN.test(change!))
    return `adds an interval to a column in a change of ${table}, which is not immutable`;
  const choice = choicesIn(change!).find((words) => NOT_IMMUTABLE.test(words) && namesColumn(words));
  return choice
    ? `has ${NOT_IMMUTABLE.exec(choice)![0]}) and a column in a CASE or COALESCE in a change of ${table}`
    : null;
}

/** The text of each CASE and COALESCE. */
function choicesIn(text: string): string[] {
  const cases = [...text.matchAll(/\bcase .*? end\b/g)].map(([words]) => words);
  const coalesces = [...text.matchAll(/\bcoalesce\(/g)].map(({ index }) =>
    text.slice(index, closing(text, index + "coalesce".length)),
  );
  return [...cases, ...coalesces];
}

const WORDS = new Set(
  `case when then else end and or not is null true false in between distinct from interval any
   coalesce`.split(/\s+/),
);

const namesColumn = (words: string): boolean =>
  [...words.replaceAll(/\$\d+/g, "").matchAll(/[a-z_][\w.]*(?!\w|\()/g)].some(([word]) => !WORDS.has(word));

/**
 * Citus 13 commits INSERT … SELECT over several shards in one phase unless it has ON CONFLICT or RETURNING. A
 * worker's crash then loses rows.
 */
function whyInsertRefused(parts: Part[], isSpread: (table: string) => boolean): string | null {
  for (const { text } of parts) {
    const target = distributedIn(text).find(({ how }) => how === "into");
    if (!target || !isSpread(target.table) || / on conflict | returning /.test(text)) continue;
    if (/\) select | select /.test(text.slice(text.indexOf(target.table))))
      return `inserts selected rows into shards of ${target.table} without ON CONFLICT or RETURNING`;
  }
  return null;
}

/**
 * A subquery of shards for each row of a CTE. In a LATERAL it runs unless it has a LIMIT. A CTE reads no row of
 * its query.
 */
function whyCorrelated(parts: Part[]): string | null {
  const ctes = parts.flatMap(({ text }) => [...text.matchAll(CTE)].map(([, name]) => name!));
  for (const { text, before, outer } of parts) {
    const inner = distributedIn(text);
    const isLateral = /\blateral $/.test(before);
    const runs = isLateral ? !text.includes(" limit ") : /\b(?:as|as materialized) $/.test(before);
    if (runs || inner.every((mention) => isPinned(text, mention))) continue;
    const row = mentionsIn(outer, ctes).find(
      ({ table, alias = table }) =>
        text.includes(` ${alias}.`) && !inner.some((own) => (own.alias ?? own.table) === alias),
    );
    if (!row) continue;
    return isLateral
      ? `has LIMIT in a LATERAL for each row of ${row.table}, which is no table: use GROUP BY the key instead`
      : `reads ${inner[0]!.table} in a subquery for each row of ${row.table}, which is no table`;
  }
  return null;
}

/**
 * Up to Postgres 15, the text that Citus sends gives the second table of a name another one, but does not say
 * so after UPDATE and DELETE: "missing FROM-clause entry". With an alias it does.
 */
function whyNamedTwice(parts: Part[]): string | null {
  const unnamed = ({ text }: Part) =>
    mentionsIn(text, [...DISTRIBUTED, ...MANAGED]).filter(({ alias }) => alias === undefined);
  const outer = unnamed(parts.at(-1)!).map(({ table }) => table);
  for (const part of parts.slice(0, -1)) {
    const isDelete = part.text.includes(" delete from ");
    const again = unnamed(part).find(
      ({ how, table }) => (how === "update" || (isDelete && how === "from")) && outer.includes(table),
    );
    if (again) return `changes ${again.table} without an alias in a subquery, and names it again outside`;
  }
  return null;
}

/** What Citus refuses, or does not keep atomic, in one statement. */
function whyTogetherRefused(parts: Part[]): string | null {
  const written = (tables: string[], hows: RegExp) =>
    parts.flatMap(({ text }) =>
      mentionsIn(text, tables).filter(
        ({ how = "", table }) =>
          hows.test(how) || (/ delete from /.test(text) && text.includes(`delete from ${table}`)),
      ),
    );
  const apart = written(UNMANAGED, /into|update/).map(({ table }) => table);
  const shards = parts.some(
    ({ text }) => changedIn(text) || distributedIn(text).some(({ how }) => how === "into"),
  );
  if (apart.length > 0 && shards)
    return (
      `writes ${apart[0]}, which Citus does not manage, together with a shard: ` +
      "one could be lost without the other"
    );
  const last = parts.at(-1)!.text;
  const managed = written(MANAGED, /into|update/).filter(
    ({ table }) => !last.includes(`insert into ${table}`),
  );
  const updated = parts.flatMap(({ text }) =>
    mentionsIn(text, UNMANAGED).filter(
      ({ how, table }) => how === "update" || text.includes(`delete from ${table}`),
    ),
  );
  if (updated.length > 0 && managed.length > 0)
    return (
      `changes ${updated[0]!.table}, which Citus does not manage, together with ${managed[0]!.table}: ` +
      "make that the final statement"
    );
  const names = [...last.matchAll(CTE)].map(([, name]) => name!);
  const locks = (text: string) => ROW_LOCK.test(text) && distributedIn(text).length > 0;
  const locked = parts.find(
    ({ text, outer }) => (locks(text) || locks(outer)) && mentionsIn(text, names).length > 0,
  );
  return locked && mentionsIn(parts.map(({ text }) => text).join(" "), MANAGED).length > 0
    ? "locks rows of a shard in a query that reads a subquery, in a statement with a managed table: " +
        "Citus garbles the subquery"
    : null;
}

/**
 * Why a statement that locks, recurses or changes rows would not run on one shard; null if it would, or does
 * none of these. Each query must compare its distributed tables with a parameter.
 */
export function whyNotPinned(statement: string): string | null {
  const text = plain(statement);
  const parts = partsOf(text);
  const what = workOf(text, parts);
  if (what) {
    for (const part of parts)
      for (const mention of distributedIn(part.text).filter(({ how }) => how !== "into"))
        if (!isPinned(part.text, mention))
          return `${what}, and ${nameOf(mention)} is not compared with a parameter`;
  }
  const correlated = whyCorrelated(parts) ?? parts.map(whyAsksAll).find(Boolean);
  if (correlated) return correlated;
  const whole = parts.map(joinedWhole).find((mention) => mention !== undefined);
  if (whole) return `outer joins all rows of ${nameOf(whole)} to rows of no table`;
  const isRouted = new RegExp(`\\b(?:${COLUMNS}) (?:= (?:\\$|any)|in \\(\\$)`).test(text);
  return isRouted ? null : whyInsertRefused(parts, () => true);
}

/** Citus does not see that a value for each row of one contract is of that contract, and asks every shard. */
function whyAsksAll({ text, before, outer }: Part): string | null {
  const rows = distributedIn(outer);
  const isValue = /(?:,|\bselect|[=<>]) $/.test(before) && rows.length > 0;
  if (!isValue || !rows.every((row) => isPinned(outer, row))) return null;
  const asked = distributedIn(text).find((row) => !isPinned(text, row));
  return asked ? `reads ${nameOf(asked)} for each row of one contract without a parameter` : null;
}

/** Citus reads all rows of a table that is outer joined to a CTE, and none but these if it is to a table. */
const joinedWhole = ({ text }: Part): Mention | undefined =>
  distributedIn(text).find((mention) => {
    const [before, joined] = text.split(` left join ${mention.table} `);
    const tables = mentionsIn(before!, [...DISTRIBUTED, ...Object.keys(LOCAL_TABLES)]);
    const hasTable = tables.some(({ how }) => how !== "into");
    return joined !== undefined && !hasTable && !isPinned(text, mention);
  });

function workOf(text: string, parts: Part[]): string | null {
  if (/^ ?with recursive /.test(text) && distributedIn(text).length > 0) return "recurses";
  for (const { text: own } of parts) {
    const changed = changedIn(own);
    if (changed) return `changes ${changed.table}`;
    const [locked] = distributedIn(own);
    if (locked && ROW_LOCK.test(own)) return `locks rows of ${locked.table}`;
  }
  return null;
}

function isPinned(text: string, { table, alias }: Mention): boolean {
  const column = DISTRIBUTED_TABLES[table as keyof typeof DISTRIBUTED_TABLES];
  const equality = new RegExp(
    `(?:\\b(\\w+)\\.)?\\b${column} (?:= (?:\\$\\d|any ?\\(\\$\\d)|in \\(\\$\\d)`,
    "g",
  );
  return [...text.matchAll(equality)].some(
    ([, owner]) => owner === undefined || owner === alias || owner === table,
  );
}

const nameOf = ({ table, alias }: Mention) => (alias ? `${table} ${alias}` : table);

/** Whether a statement contains the condition that pins it to the contracts of one shard. */
export const hasShardCondition = (statement: string): boolean => SHARD_CONDITION.test(plain(statement));

type Distributed = keyof typeof DISTRIBUTED_TABLES;

/** A table that a query reads or changes. */
interface Mention<Table extends string = string> {
  /** The word before it; absent in a list of tables. */
  how: "from" | "join" | "update" | "into" | "using" | undefined;
  table: Table;
  alias: string | undefined;
}

const KEYWORDS = new Set(
  `where set on join cross left full inner order group limit offset using as for select union values
   returning natural do`.split(/\s+/),
);

/** A table in FROM or a change, with its alias. In a column list a comma or bracket follows the name. */
const mention = (tables: string) =>
  new RegExp(
    `(?:\\b(from|join|update|into|using)|,)\\s+(?:only\\s+)?(${tables})\\b` +
      "(?!\\s*[,.)=])(?:\\s+(?:as\\s+)?(\\w+))?",
    "g",
  );

/** The listed tables that a text names, in order. @param text from `plain` */
function mentionsIn<Table extends string>(text: string, tables: readonly Table[]): Mention<Table>[] {
  return (
    [...text.matchAll(mention(tables.join("|")))]
      .map(([, how, table, alias]) => ({
        how: how as Mention["how"],
        table: table as Table,
        alias: alias && !KEYWORDS.has(alias) ? alias : undefined,
      }))
      // A column aliased to its own name, or the last one in a list.
      .filter(({ how, table, alias }) => how || (alias !== table && alias !== "from"))
  );
}

const DISTRIBUTED = Object.keys(DISTRIBUTED_TABLES) as Distributed[];

const distributedIn = (text: string) => mentionsIn(text, DISTRIBUTED);

/**
 * One line in lower case, without quotes, comments, casts and strings. The text of a time, which depends on
 * the session's zone, is written `text_of(…)`.
 */
function plain(statement: string): string {
  return statement
    .replaceAll(/--.*$/gm, "")
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll('"', "")
    .replaceAll(/((?:\w+\.)?\w+_(?:at|until))::text\b/g, "text_of($1)")
    .replaceAll(/::\w+(?:\(\d+\))?(?:\[\])?/g, "")
    .replaceAll(/\s+/g, " ")
    .toLowerCase();
}

/** One query of a statement: the statement itself, a subquery, or one side of a UNION. */
interface Part {
  /** Its own text without subqueries. */
  text: string;
  /** The text before its bracket, such as `with recursive name as` or `lateral`. */
  before: string;
  /** The own text of the query that it is in. */
  outer: string;
}

const BEGINS_QUERY = /^\s*\(*\s*(?:select|with|insert|update|delete|values)\b/;
const BETWEEN_QUERIES = / (?:union(?: all)?|except|intersect) /;
const WORDS_BEFORE = 60;

/** The queries of a statement from `plain`. It reads brackets, not grammar. */
function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  visit(text, "", parts);
  return parts;
}

function visit(text: string, before: string, parts: Part[]): void {
  const inner = parts.length;
  let own = "";
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== "(") {
      own += text[at];
      continue;
    }
    const end = closing(text, at);
    const query = text.slice(at + 1, end);
    if (BEGINS_QUERY.test(query)) {
      visit(query, text.slice(Math.max(0, at - WORDS_BEFORE), at), parts);
      own += "()";
    } else {
      own += "(";
      continue;
    }
    at = end;
  }
  for (const part of parts.slice(inner)) part.outer ||= own;
  for (const side of own.split(BETWEEN_QUERIES)) parts.push({ text: ` ${side} `, before, outer: "" });
}

/** Where the bracket that opens at `open` closes. */
function closing(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === "(") depth++;
    if (text[at] === ")" && --depth === 0) return at;
  }
  return text.length;
}
