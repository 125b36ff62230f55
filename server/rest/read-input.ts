import { type RestRequest, readJsonObject, refuseBody } from "@/server/kernel/http";
import { invalidInput } from "../kernel/to-domain-error";
import { DomainError, type FieldError } from "../kernel/values/problems";
import type { Operation } from "./routes/route-table";

/**
 * Collects an operation's input from path, query and body. A name in two places is an error.
 * @throws DomainError for an invalid body, query or path
 */
export async function readInput(
  request: RestRequest,
  operation: Operation,
  pathParameters: Record<string, string>,
  search: string,
  bytesMax: number,
): Promise<Record<string, unknown>> {
  const path = decodePath(pathParameters);
  const query = readQuery(search, operation);
  if (!operation.takesBody) {
    await refuseBody(request);
    return { ...query, ...path };
  }
  const { value, colons, keyColons } = await readJsonObject(request, bytesMax);
  const elsewhere = [...Object.keys(path), ...operation.queryFields].filter((name) =>
    Object.hasOwn(value, name),
  );
  if (elsewhere.length > 0) {
    throw new DomainError(
      "validation_failed",
      "The body has fields that must be sent in the path or the query.",
      {
        errors: elsewhere.map((name) => unknownField(`/${name}`)),
      },
    );
  }
  const input = { ...value, ...query, ...path };
  const keys = countKeys(value);
  if (colons !== keys && keyColons() !== keys) refuseDuplicateKeys(operation, input);
  return input;
}

/** More colons outside strings than keys means a duplicate key. A valid batch passes the cheaper count of all colons. */
function refuseDuplicateKeys(operation: Operation, input: unknown): never {
  const parsed = operation.input?.safeParse(input);
  if (parsed && !parsed.success) throw invalidInput(parsed.error);
  throw new DomainError("invalid_json", "The body has a duplicate key.");
}

function countKeys(value: unknown): number {
  const open: unknown[] = [value];
  let keys = 0;
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== "object" || next === null) continue;
    if (Array.isArray(next)) for (const item of next) open.push(item);
    // No array of values, for "submit 2000 at 16, lower" in docs/benchmarks.md. `JSON.parse` creates no inherited keys.
    else
      for (const key in next) {
        keys++;
        const child = (next as Record<string, unknown>)[key];
        if (typeof child === "object") open.push(child);
      }
  }
  return keys;
}

function decodePath(parameters: Record<string, string>): Record<string, string> {
  try {
    return Object.fromEntries(
      Object.entries(parameters).map(([name, value]) => [name, decodeURIComponent(value)]),
    );
  } catch {
    throw new DomainError("validation_failed", "The path is not valid percent-encoded UTF-8.");
  }
}

function readQuery(search: string, operation: Operation): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const errors: FieldError[] = [];
  for (const [name, value] of new URLSearchParams(search)) {
    const pointer = `?${name.slice(0, 64)}`;
    if (!operation.queryFields.has(name)) errors.push(unknownField(pointer));
    else if (Object.hasOwn(values, name))
      errors.push({ pointer, code: "invalid_value", detail: "is given more than once" });
    else values[name] = fromText(value, operation, name);
  }
  if (errors.length > 0)
    throw new DomainError("validation_failed", "The query has invalid parameters.", { errors });
  return values;
}

/** Query values are text. They are converted only for fields that are numbers or booleans. */
function fromText(value: string, operation: Operation, name: string): unknown {
  if (operation.numberFields.has(name) && /^\d{1,15}$/.test(value)) return Number(value);
  if (operation.booleanFields.has(name) && /^(?:true|false)$/.test(value)) return value === "true";
  return value;
}

const unknownField = (pointer: string): FieldError => ({
  pointer,
  code: "unknown_field",
  detail: "is not a parameter of this operation",
});
