import { type CsvColumns, csvFields } from "@/app/data/csv";
import type { ConsoleStatement, StatementOut } from "@/server/statements/schema";
import { POINT_TYPES } from "@/terms/batch-terms";
import { formatPoints, parseSum } from "@/terms/points";
import { FIGURES } from "./figures";

export type StatementRow = Omit<ConsoleStatement, "statements"> & StatementOut;

export const statementRows = ({ statements, ...month }: ConsoleStatement): StatementRow[] =>
  statements.map((each) => ({ ...month, ...each }));

/** The rows of all contracts as one for each point type. */
export const sumRows = (rows: readonly StatementRow[]): StatementRow[] =>
  POINT_TYPES.flatMap((pointType) => {
    const own = rows.filter((row) => row.pointType === pointType);
    const given = FIGURES.filter(({ key }) => own.some((row) => row[key] !== undefined));
    const sums = given.map(({ key }) => {
      const sum = own.reduce((all, row) => all + parseSum(row[key] ?? "0"), 0n);
      return [key, formatPoints(sum)];
    });
    const [first] = own;
    return first
      ? { ...first, ...Object.fromEntries(sums), contractAddress: "", contractLabel: "All contracts" }
      : [];
  });

export const STATEMENT_COLUMNS: CsvColumns<StatementRow> = {
  ...csvFields<StatementRow>("contractLabel", "contractAddress", "month", "from", "to"),
  ...csvFields<StatementRow>("pointType", "opening", "issued", "received", "sent"),
  ...csvFields<StatementRow>("closing", "pending", "cancelled"),
  is_final: ({ isFinal }) => String(isFinal),
  ...csvFields<StatementRow>("readAt"),
  taken_back: ({ takenBack }) => takenBack ?? "0",
  given_back: ({ givenBack }) => givenBack ?? "0",
};
