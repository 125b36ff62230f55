import type { NextRequest } from "next/server";
import { type CsvColumns, csvFields } from "@/app/data/csv";
import { csvRoute, parseInput } from "@/app/data/csv-reply";
import type { RouteProps } from "@/app/data/page-props";
import { makeStatement } from "@/server/statements/make-statement";
import { type ConsoleStatement, StatementInput, type StatementOut } from "@/server/statements/schema";

const columnsOf = (month: ConsoleStatement): CsvColumns<StatementOut> => ({
  contract_label: () => month.contractLabel,
  contract_address: () => month.contractAddress,
  month: () => month.month,
  from: () => month.from,
  to: () => month.to,
  ...csvFields<StatementOut>("pointType", "opening", "issued", "received", "sent"),
  ...csvFields<StatementOut>("closing", "pending", "cancelled"),
  is_final: () => String(month.isFinal),
  read_at: () => month.readAt,
  taken_back: ({ takenBack }) => takenBack ?? "0",
  given_back: ({ givenBack }) => givenBack ?? "0",
});

export const GET = (request: NextRequest, { params }: RouteProps<"contractAddress">) =>
  csvRoute(request, async (ctx) => {
    const month = request.nextUrl.searchParams.get("month") ?? undefined;
    const statement = await makeStatement(ctx, parseInput(StatementInput, { ...(await params), month }));
    return {
      name: `statement-${statement.contractAddress}-${statement.month}.csv`,
      columns: columnsOf(statement),
      pages: [statement.statements],
    };
  });
