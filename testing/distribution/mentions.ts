import { DISTRIBUTED_TABLES } from "@/server/distribution/distribute-tables";

export type Distributed = keyof typeof DISTRIBUTED_TABLES;

/** A table that a query reads or changes. */
export interface Mention<Table extends string = string> {
  /** The word before it; absent in a list of tables. */
  how: "from" | "join" | "update" | "into" | "using" | undefined;
  table: Table;
  alias: string | undefined;
}

const KEYWORDS = new Set(
  "where set on join cross left full inner order group limit offset using as for select union values returning natural do".split(
    " ",
  ),
);

/** A table in FROM or a change, with its alias. In a column list a comma or bracket follows the name. */
const mention = (tables: string) =>
  new RegExp(
    `(?:\\b(from|join|update|into|using)|,)\\s+(?:only\\s+)?(${tables})\\b(?!\\s*[,.)=])(?:\\s+(?:as\\s+)?(\\w+))?`,
    "g",
  );

/** The listed tables that a text names, in order. @param text from `plain` */
export function mentionsIn<Table extends string>(text: string, tables: readonly Table[]): Mention<Table>[] {
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

export const distributedIn = (text: string) => mentionsIn(text, DISTRIBUTED);
