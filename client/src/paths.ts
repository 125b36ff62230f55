import type { paths } from "./api-types.ts";
import { InvalidArgument } from "./client-error.ts";

export const CONTRACT_PATH = "/v1/contracts/{contractAddress}";
export const BATCHES_PATH = `${CONTRACT_PATH}/batches` as const satisfies keyof paths;
export const BATCH_PATH = `${BATCHES_PATH}/{batchId}` as const satisfies keyof paths;

export const PAYOUT_PATH = `${CONTRACT_PATH}/payouts/{payoutId}` as const satisfies keyof paths;

/** The names in a path such as `/v1/contracts/{contractAddress}`. */
type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;
export type PathValues<Path extends string> = Record<NamesIn<Path>, string>;

export type SentBody<Operation> = Operation extends {
  requestBody: { content: { "application/json": infer Body } };
}
  ? Body
  : never;
export type ReplyBody<Operation> = Operation extends {
  responses: { 200: { content: { "application/json": infer Body } } };
}
  ? Body
  : never;

/** A path of the API with its parameters filled in. @throws InvalidArgument */
export function pathTo<Path extends keyof paths>(path: Path, values: PathValues<Path>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    segment(name, (values as Record<string, string>)[name]),
  );
}

/** One part of a path. A URL drops a part of only dots, and an empty one would address the list. */
function segment(name: string, value: unknown): string {
  if (typeof value !== "string" || /^\.{0,2}$/.test(value))
    throw new InvalidArgument(`${name} is missing, or cannot be part of a path.`);
  try {
    return encodeURIComponent(value);
  } catch {
    throw new InvalidArgument(`${name} is not well-formed Unicode.`);
  }
}
