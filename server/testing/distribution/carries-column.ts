import { DISTRIBUTED_TABLES } from "@/server/distribution/tables";

type Table = keyof typeof DISTRIBUTED_TABLES;

const TABLES = Object.keys(DISTRIBUTED_TABLES).join("|");
const COLUMNS = [...new Set(Object.values(DISTRIBUTED_TABLES))].join("|");
/** A table in a FROM list or changed, and its alias. In a list of columns a name is followed by a comma or a bracket. */
const MENTION = new RegExp(
  `(?:\\b(from|join|update|into|using)|,)\\s+(?:only\\s+)?(${TABLES})\\b(?!\\s*[,.)=])(?:\\s+(?:as\\s+)?(\\w+))?`,
  "g",
);
const EQUALITY = new RegExp(
  `(?:\\b(\\w+)\\.)?\\b(${COLUMNS})\\s*(?:=\\s*(?:(\\$\\d+)|any\\s*\\((\\$\\d+)|(?:(\\w+)\\.)?(\\w+))|in\\s*\\((\\$\\d+))`,
  "g",
);
const KEYWORDS = new Set(
  "where set on join cross left full inner order group limit using as for select union values returning natural".split(
    " ",
  ),
);

/**
 * Why a statement would not be routed by the distribution column; null when it would be, or touches no distributed
 * table. It reads the text, not the grammar: each distributed table named must have its column compared for equality
 * (with a parameter or another column) or, in an INSERT, among the columns; and one of them with a parameter.
 */
export function whyCrossShard(statement: string): string | null {
  const text = plain(statement);
  const mentions = [...text.matchAll(MENTION)]
    .map(([, how, table, alias]) => ({
      how,
      table: table as Table,
      alias: alias && !KEYWORDS.has(alias) ? alias : undefined,
    }))
    // A column that is given its own name again, or the last one of a list.
    .filter(({ how, table, alias }) => how || (alias !== table && alias !== "from"));
  if (mentions.length === 0) return null;
  const moved = updatedColumn(text);
  if (moved) return `changes ${moved}, by which rows are placed`;
  const equalities = [...text.matchAll(EQUALITY)];
  for (const { how, table, alias } of mentions) {
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
  const columns = new Set<string>(mentions.map(({ table }) => DISTRIBUTED_TABLES[table]));
  const isAnchored = equalities.some(
    ([, , column, one, any, , , first]) => columns.has(column!) && (one ?? any ?? first),
  );
  const isInserted = new RegExp(`into (?:${TABLES})(?: as \\w+)? \\([^)]*\\) values \\(\\$`).test(text);
  return isAnchored || isInserted ? null : "no distribution column is compared with a parameter";
}

/** One line, lower case, without quotes, comments, casts and texts. */
function plain(statement: string): string {
  return statement
    .replaceAll(/--.*$/gm, "")
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll('"', "")
    .replaceAll(/::\w+(?:\(\d+\))?(?:\[\])?/g, "")
    .replaceAll(/\s+/g, " ")
    .toLowerCase();
}

function insertColumns(text: string, table: Table): string[] {
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
