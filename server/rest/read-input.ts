import { readJsonObject, refuseBody } from "../kernel/http/read-body";
import type { RestRequest } from "../kernel/http/rest-request";
import { invalidInput } from "../kernel/to-domain-error";
import { DomainError, type FieldError } from "../kernel/values/problems";
import type { Operation } from "./routes/route-table";

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
    throw new DomainError("validation_failed", "The body has fields that belong in the path or the query.", {
      errors: elsewhere.map((name) => unknownField(`/${name}`)),
    });
  }
  const input = { ...value, ...query, ...path };
  const keys = countKeys(value);
  if (colons !== keys && keyColons() !== keys) refuseDuplicateKeys(operation, input);
  return input;
}

/** More colons outside of strings than keys: a key came twice. A batch holds no colon but its keys', and is told by the first count. */
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
    if (Array.isArray(next)) for (const item of next) open.push(item);
    // `JSON.parse` makes no inherited keys. No list of values is made: `npm run bench -- validation`, body → input.
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
    throw new DomainError("validation_failed", "The path is not percent-encoded UTF-8.");
  }
}

function readQuery(search: string, operation: Operation): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const errors: FieldError[] = [];
  for (const [name, value] of new URLSearchParams(search)) {
    const pointer = `?${name.slice(0, 64)}`;
    if (!operation.queryFields.has(name)) errors.push(unknownField(pointer));
    else if (Object.hasOwn(values, name))
      errors.push({ pointer, code: "invalid_value", detail: "is given twice" });
    else values[name] = fromText(value, operation, name);
  }
  if (errors.length > 0)
    throw new DomainError("validation_failed", "The query has parameters that do not fit.", { errors });
  return values;
}

/** A query carries text: digits are a number and `true` a boolean where the field is one, and nowhere else. */
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
