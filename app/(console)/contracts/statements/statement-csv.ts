import { type CsvColumns, csvFields } from "@/app/data/csv";
import type { ConsoleStatement, StatementOut } from "@/server/statements/schema";

export type StatementRow = Omit<ConsoleStatement, "statements"> & StatementOut;

export const statementRows = ({ statements, ...month }: ConsoleStatement): StatementRow[] =>
  statements.map((each) => ({ ...month, ...each }));

export const STATEMENT_COLUMNS: CsvColumns<StatementRow> = {
  ...csvFields<StatementRow>("contractLabel", "contractAddress", "month", "from", "to"),
  ...csvFields<StatementRow>("pointType", "opening", "issued", "received", "sent"),
  ...csvFields<StatementRow>("closing", "pending", "cancelled"),
  is_final: ({ isFinal }) => String(isFinal),
  ...csvFields<StatementRow>("readAt"),
  taken_back: ({ takenBack }) => takenBack ?? "0",
  given_back: ({ givenBack }) => givenBack ?? "0",
};
