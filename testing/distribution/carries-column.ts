import { DISTRIBUTED_TABLES } from "@/server/distribution/distribute-tables";
import { type Distributed, distributedIn } from "./mentions";
import { partsOf, plain } from "./statement-parts";

const TABLES = Object.keys(DISTRIBUTED_TABLES).join("|");
const COLUMNS = [...new Set(Object.values(DISTRIBUTED_TABLES))].join("|");
const EQUALITY = new RegExp(
  `(?:\\b(\\w+)\\.)?\\b(${COLUMNS})\\s*(?:=\\s*(?:(\\$\\d+)|any\\s*\\((\\$\\d+)|(?:(\\w+)\\.)?(\\w+))|in\\s*\\((\\$\\d+))`,
  "g",
);

/**
 * Why a statement would not be routed by the distribution column; null if it would be, or uses no distributed table. It reads
 * text, not grammar. In each query, every distributed table's column must be compared for equality with a parameter or another
 * column, or be among an INSERT's columns; and one of them must be compared with a parameter.
 */
export function whyCrossShard(statement: string): string | null {
  const text = plain(statement);
  const mentions = distributedIn(text);
  if (mentions.length === 0) return null;
  const moved = updatedColumn(text);
  if (moved) return `changes ${moved}, by which rows are placed`;
  const why = partsOf(text)
    .map((part) => whyPartCrosses(part.text))
    .find(Boolean);
  if (why) return why;
  const equalities = [...text.matchAll(EQUALITY)];
  const columns = new Set<string>(mentions.map(({ table }) => DISTRIBUTED_TABLES[table]));
  const isAnchored = equalities.some(
    ([, , column, one, any, , , first]) => columns.has(column!) && (one ?? any ?? first),
  );
  const isInserted = new RegExp(`into (?:${TABLES})(?: as \\w+)? \\([^)]*\\) values \\(\\$`).test(text);
  return isAnchored || isInserted ? null : "no distribution column is compared with a parameter";
}

function whyPartCrosses(text: string): string | null {
  const equalities = [...text.matchAll(EQUALITY)];
  for (const { how, table, alias } of distributedIn(text)) {
    const column = DISTRIBUTED_TABLES[table];
    if (how === "into") {
      if (!insertColumns(text, table).includes(column)) return `inserts into ${table} without ${column}`;
      continue;
    }
    const isCompared = equalities.some(([, left, name, , , right, other]) => {
      const sides = [
        [left, name],
        [right, other],
      ];
      return sides.some(
        ([owner, of]) => of === column && (owner === undefined || owner === alias || owner === table),
      );
    });
    if (!isCompared) return `${table}${alias ? ` ${alias}` : ""} is not compared by ${column}`;
  }
  return null;
}

function insertColumns(text: string, table: Distributed): string[] {
  const found = new RegExp(`into ${table}(?: as \\w+)? \\(([^)]*)\\)`).exec(text);
  return found ? found[1]!.split(",").map((name) => name.trim()) : [];
}

function updatedColumn(text: string): string | undefined {
  const assignments = [...text.matchAll(/\bset (.*?)(?= from | where | returning |$)/g)].map(
    ([, list]) => list!,
  );
  return Object.values(DISTRIBUTED_TABLES).find((column) =>
    assignments.some((list) => new RegExp(`(?:^|, )${column} =`).test(list)),
  );
}
