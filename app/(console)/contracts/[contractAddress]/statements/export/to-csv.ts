import type { ConsoleStatement } from "@/server/statements/statement-schema";
import { csvLine } from "../../../../batches/export/to-csv";

const HEADER = [
  "contract_label",
  "contract_address",
  "month",
  "from",
  "to",
  "point_type",
  "opening",
  "issued",
  "received",
  "sent",
  "closing",
  "pending",
  "cancelled",
  "is_final",
  "read_at",
  "taken_back",
  "given_back",
];

/** One line per point type. */
export function csvOfStatement(month: ConsoleStatement): string {
  const lines = month.statements.map((statement) =>
    csvLine([
      month.contractLabel,
      month.contractAddress,
      month.month,
      month.from,
      month.to,
      statement.pointType,
      statement.opening,
      statement.issued,
      statement.received,
      statement.sent,
      statement.closing,
      statement.pending,
      statement.cancelled,
      String(month.isFinal),
      month.readAt,
      statement.takenBack ?? "0",
      statement.givenBack ?? "0",
    ]),
  );
  return [csvLine(HEADER), ...lines].join("");
}
