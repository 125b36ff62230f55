import type { NextRequest } from "next/server";
import {
  STATEMENT_COLUMNS,
  type StatementRow,
  statementRows,
  sumRows,
} from "@/app/(console)/contracts/statements/statement-csv";
import { csvRoute, parseInput } from "@/app/data/csv-reply";
import type { ServiceContext } from "@/server/kernel/context";
import { allPages } from "@/server/kernel/cursor";
import { makeStatements } from "@/server/statements/make-statement";
import { AllStatementsInput } from "@/server/statements/schema";

export const GET = (request: NextRequest) =>
  csvRoute(request, async (ctx) => {
    const month = request.nextUrl.searchParams.get("month") ?? undefined;
    const input = parseInput(AllStatementsInput, { month });
    return {
      name: `statements-${input.month}.csv`,
      columns: STATEMENT_COLUMNS,
      pages: rowsOf(ctx, input),
    };
  });

async function* rowsOf(ctx: ServiceContext, input: AllStatementsInput) {
  const pages = allPages((cursor: string | null) => makeStatements(ctx, { ...input, cursor }));
  let sums: StatementRow[] = [];
  for await (const { contracts } of pages) {
    const rows = contracts.flatMap(statementRows);
    sums = sumRows([...sums, ...rows]);
    yield rows;
  }
  yield sums;
}
