import type { NextRequest } from "next/server";
import { invalidInput } from "@/server/kernel/to-domain-error";
import { makeStatement } from "@/server/statements/make-statement";
import { StatementInput } from "@/server/statements/statement-schema";
import { exportContext } from "@/server/trpc/console-door";
import { csvReply, downloadOrProblem } from "../../../../../data/csv-reply";
import { csvOfStatement } from "./to-csv";

interface ExportRoute {
  params: Promise<{ contractAddress: string }>;
}

/** The month's statements as CSV, one line per point type. */
export function GET(request: NextRequest, { params }: ExportRoute): Promise<Response> {
  return downloadOrProblem(async (requestId) => {
    const ctx = await exportContext(requestId);
    const month = request.nextUrl.searchParams.get("month") ?? undefined;
    const input = StatementInput.safeParse({ ...(await params), month });
    if (!input.success) throw invalidInput(input.error);
    const statement = await makeStatement(ctx, input.data);
    const name = `statement-${statement.contractAddress}-${statement.month}.csv`;
    return csvReply(lines(csvOfStatement(statement)), { name, requestId });
  });
}

async function* lines(text: string): AsyncGenerator<string> {
  yield text;
}
