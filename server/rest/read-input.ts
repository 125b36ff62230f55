import { DomainError, type FieldError } from "../problems";
import { invalidInput } from "../trpc/to-domain-error";
import { readJsonObject, refuseBody } from "./read-body";
import type { RestRequest } from "./rest-request";
import type { Operation } from "./route-table";

/**
 * The input of an operation from path, query and body: names given in two places are refused.
 * @throws DomainError of the body, the query or the path
 */
export async function readInput(
  request: RestRequest,
  operation: Operation,
  pathParameters: Record<string, string>,
  search: string,
  bytesMax: number,
): Promise<Record<string, unknown>> {
  const path = decodePath(pathParameters);
  if (operation.method === "GET" || operation.method === "DELETE") {
    await refuseBody(request, bytesMax);
    return { ...readQuery(search, operation, path), ...path };
  }
  if (search.length > 1) {
    throw new DomainError("validation_failed", "This operation takes no query parameters.", {
      errors: [...new URLSearchParams(search).keys()].map((name) => unknownField(`?${name.slice(0, 64)}`)),
    });
  }
  const { value, colons } = await readJsonObject(request, bytesMax);
  const twice = Object.keys(path).filter((name) => Object.hasOwn(value, name));
  if (twice.length > 0) {
    throw new DomainError("validation_failed", "The path says this already.", {
      errors: twice.map((name) => unknownField(`/${name}`)),
    });
  }
  const input = { ...value, ...path };
  if (colons !== countKeys(value)) refuseDuplicateKeys(operation, input);
  return input;
}

/** No valid value of `/v1` holds a colon, so a valid body has as many colons as keys; more mean a key that came twice. */
function refuseDuplicateKeys(operation: Operation, input: unknown): never {
  const parsed = operation.input?.safeParse(input);
  if (parsed && !parsed.success) throw invalidInput(parsed.error);
  throw new DomainError("invalid_json", "An object of the body has the same key twice.");
}

function countKeys(value: unknown): number {
  const open: unknown[] = [value];
  let keys = 0;
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== "object" || next === null) continue;
    const children = Object.values(next);
    if (!Array.isArray(next)) keys += children.length;
    for (const child of children) if (typeof child === "object") open.push(child);
  }
  return keys;
}

function decodePath(parameters: Record<string, string>): Record<string, string> {
  try {
    return Object.fromEntries(
      Object.entries(parameters).map(([name, value]) => [name, decodeURIComponent(value)]),
    );
  } catch {
    throw new DomainError("validation_failed", "The path is not percent-encoded UTF-8.");
  }
}

function readQuery(
  search: string,
  operation: Operation,
  path: Record<string, string>,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const errors: FieldError[] = [];
  for (const [name, value] of new URLSearchParams(search)) {
    const pointer = `?${name.slice(0, 64)}`;
    if (Object.hasOwn(path, name) || !Object.hasOwn(operation.input?.shape ?? {}, name))
      errors.push(unknownField(pointer));
    else if (Object.hasOwn(values, name))
      errors.push({ pointer, code: "invalid_value", detail: "is given twice" });
    else values[name] = operation.numberFields.has(name) && /^\d{1,15}$/.test(value) ? Number(value) : value;
  }
  if (errors.length > 0)
    throw new DomainError("validation_failed", "The query has parameters that do not fit.", { errors });
  return values;
}

const unknownField = (pointer: string): FieldError => ({
  pointer,
  code: "unknown_field",
  detail: "is not a parameter of this operation",
});
