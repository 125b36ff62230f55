import { type CallOptions, type ClientContext, contractOf } from "./client-context.ts";
import { forecastPath } from "./paths.ts";
import { sendOperation } from "./send-operation.ts";
import type { ContractForecast } from "./shapes.ts";

/**
 * How much of the contract's pending batches becomes due when, per point type, and when a PREFUNDED contract runs out of points.
 * @throws ApiProblem; ConnectionFailure, UnexpectedReply
 */
export async function getForecast(ctx: ClientContext, options: CallOptions = {}): Promise<ContractForecast> {
  const { body } = await sendOperation(ctx.transport, {
    method: "GET",
    path: forecastPath(contractOf(ctx, options)),
    member: "forecasts",
    repeat: "always",
    changes: false,
    signal: options.signal,
  });
  const { success, ...forecast } = body as unknown as ContractForecast & { success: true };
  return forecast;
}
