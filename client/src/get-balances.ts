import { type CallOptions, type ClientContext, contractOf } from "./client-context.ts";
import { balancesPath } from "./paths.ts";
import { sendOperation } from "./send-operation.ts";
import type { BalancesByPointType } from "./shapes.ts";

/** The balances of the contract per point type, as decimal strings. */
export async function getBalances(
  ctx: ClientContext,
  options: CallOptions = {},
): Promise<BalancesByPointType> {
  const { body } = await sendOperation(ctx.transport, {
    method: "GET",
    path: balancesPath(contractOf(ctx, options)),
    member: "balancesByPointType",
    repeat: "always",
    changes: false,
    signal: options.signal,
  });
  return body!.balancesByPointType as BalancesByPointType;
}
