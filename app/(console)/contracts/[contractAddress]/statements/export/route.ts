import type { NextRequest } from "next/server";
import type { CsvColumns } from "@/app/data/csv";
import { makeStatement } from "@/server/statements/make-statement";
import { type ConsoleStatement, StatementInput, type StatementOut } from "@/server/statements/schema";
import { exportContext } from "@/server/trpc/console-endpoint";
import { csvReply, downloadOrProblem, parseInput } from "../../../../../data/csv-reply";

interface ExportRoute {
  params: Promise<{ contractAddress: string }>;
}

const columnsOf = (month: ConsoleStatement): CsvColumns<StatementOut> => ({
  contract_label: () => month.contractLabel,
  contract_address: () => month.contractAddress,
  month: () => month.month,
  from: () => month.from,
  to: () => month.to,
  point_type: ({ pointType }) => pointType,
  opening: ({ opening }) => opening,
  issued: ({ issued }) => issued,
  received: ({ received }) => received,
  sent: ({ sent }) => sent,
  closing: ({ closing }) => closing,
  pending: ({ pending }) => pending,
  cancelled: ({ cancelled }) => cancelled,
  is_final: () => String(month.isFinal),
  read_at: () => month.readAt,
  taken_back: ({ takenBack }) => takenBack ?? "0",
  given_back: ({ givenBack }) => givenBack ?? "0",
});

/** The month's statements as CSV, one line per point type. */
export function GET(request: NextRequest, { params }: ExportRoute): Promise<Response> {
  return downloadOrProblem(async (requestId) => {
    const ctx = await exportContext(requestId);
    const month = request.nextUrl.searchParams.get("month") ?? undefined;
    const statement = await makeStatement(ctx, parseInput(StatementInput, { ...(await params), month }));
    const name = `statement-${statement.contractAddress}-${statement.month}.csv`;
    return csvReply(columnsOf(statement), [statement.statements], { name, requestId, request });
  });
}
