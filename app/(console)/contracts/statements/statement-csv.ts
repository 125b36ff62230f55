import { type CsvColumns, csvFields } from "@/app/data/csv";
import type { ConsoleStatement } from "@/server/statements/make-statement";
import type { StatementOut } from "@/server/statements/schema";
import { POINT_TYPES } from "@/terms/batch-terms";
import { formatPoints, parseSum } from "@/terms/points";

export type StatementRow = Omit<ConsoleStatement, "statements"> & StatementOut;

export const statementRows = ({ statements, ...month }: ConsoleStatement): StatementRow[] =>
  statements.map((each) => ({ ...month, ...each }));

export interface Figure {
  key: Exclude<keyof StatementOut, "pointType">;
  name: string;
  /** Of a balance, the page says its time instead. */
  hint?: string;
  /** Precedes the amount. */
  sign?: "+" | "−";
  isTotal?: true;
}

/** In the order in which they add up. The last two change no balance. */
const FIGURES: readonly Figure[] = [
  { key: "opening", name: "Opening", isTotal: true },
  { key: "issued", name: "Issued", hint: "Issued on demand, or granted by staff", sign: "+" },
  {
    key: "received",
    name: "Received",
    hint: "From other contracts, in batches finalized in the month",
    sign: "+",
  },
  {
    key: "takenBack",
    name: "Taken back",
    hint: "From recipients, by the contract's reversals finalized in the month",
    sign: "+",
  },
  { key: "sent", name: "Sent", hint: "In batches finalized in the month", sign: "−" },
  {
    key: "givenBack",
    name: "Given back",
    hint: "To other contracts, by their reversals finalized in the month",
    sign: "−",
  },
  { key: "closing", name: "Closing", isTotal: true },
  {
    key: "pending",
    name: "Pending",
    hint:
      "Part of the closing balance, reserved by batches " +
      "that were neither finalized nor cancelled by then",
  },
  {
    key: "cancelled",
    name: "Cancelled",
    hint: "In batches cancelled in the month. The points stayed with the contract",
  },
];

/** Those that the statements have. Points are rarely taken or given back, and the figure is then absent. */
export const figuresOf = (statements: readonly StatementOut[]): readonly Figure[] =>
  FIGURES.filter(({ key }) => statements.some((each) => each[key] !== undefined));

/** The rows of all contracts as one for each point type. */
export const sumRows = (rows: readonly StatementRow[]): StatementRow[] =>
  POINT_TYPES.flatMap((pointType) => {
    const own = rows.filter((row) => row.pointType === pointType);
    const sums = figuresOf(own).map(({ key }) => {
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
