import { type CallOptions, type ClientContext, contractOf } from "./client-context.ts";
import { statementsPath } from "./paths.ts";
import { sendOperation } from "./send-operation.ts";
import type { MonthOfStatements, PointType } from "./shapes.ts";

/**
 * The contract's statements of a calendar month in UTC, such as `2026-01`: one per point type, or only the given one.
 * @throws ApiProblem `validation_failed` for a month that has no statement, …; ConnectionFailure, UnexpectedReply
 */
export async function getStatements(
  ctx: ClientContext,
  month: string,
  { pointType, ...options }: CallOptions & { pointType?: PointType } = {},
): Promise<MonthOfStatements> {
  const { body } = await sendOperation(ctx.transport, {
    method: "GET",
    path: statementsPath(contractOf(ctx, options)),
    query: { month, pointType },
    member: "statements",
    repeat: "always",
    changes: false,
    signal: options.signal,
  });
  const { success, ...statements } = body as unknown as MonthOfStatements & { success: true };
  return statements;
}
