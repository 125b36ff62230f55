import type { NextRequest } from "next/server";
import { STATEMENT_COLUMNS, statementRows } from "@/app/(console)/contracts/statements/statement-csv";
import { csvRoute, parseInput } from "@/app/data/csv-reply";
import type { RouteProps } from "@/app/data/page-props";
import { makeStatement } from "@/server/statements/make-statement";
import { StatementInput } from "@/server/statements/schema";

export const GET = (request: NextRequest, { params }: RouteProps<"contractAddress">) =>
  csvRoute(request, async (ctx) => {
    const month = request.nextUrl.searchParams.get("month") ?? undefined;
    const statement = await makeStatement(ctx, parseInput(StatementInput, { ...(await params), month }));
    return {
      name: `statement-${statement.contractAddress}-${statement.month}.csv`,
      columns: STATEMENT_COLUMNS,
      pages: [statementRows(statement)],
    };
  });
