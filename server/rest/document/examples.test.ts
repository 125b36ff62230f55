import { readFileSync } from "node:fs";
import Ajv2020 from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { PROBLEMS } from "../../kernel/values/problems";

interface Example {
  value: unknown;
}
interface Media {
  schema: object;
  examples: Record<string, Example>;
}
interface Reply {
  content?: Record<string, Media>;
}
interface OperationObject {
  operationId: string;
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Reply>;
}

const document = JSON.parse(
  // With a name, so that a schema is compiled once, however many refer to it.
  readFileSync("openapi.json", "utf8").replaceAll('"#/components/', '"openapi#/components/'),
) as {
  paths: Record<string, Record<string, OperationObject>>;
  components: {
    schemas: Record<string, object>;
    responses: Record<string, Reply>;
    examples: Record<string, Example>;
    headers: Record<string, { schema: object; example?: string }>;
  };
};
const { components } = document;
/** What a reference to `components[kind]` means. */
function resolve<Value extends object>(kind: "responses" | "examples", value: Value): Value {
  if (!("$ref" in value)) return value;
  const [, , of, name] = String(value.$ref).split("/");
  expect(of).toBe(kind);
  return components[kind][name!] as Value;
}
const operations = Object.values(document.paths).flatMap((methods) =>
  Object.values(methods).map((operation) => ({
    ...operation,
    responses: Object.entries(operation.responses).map(
      ([status, reply]) => [status, resolve("responses", reply)] as const,
    ),
  })),
);
const ajv = addFormats(new Ajv2020({ strict: false, allErrors: true }));
ajv.addSchema({ components }, "openapi");

function expectValid(schema: object, value: unknown, where: string): void {
  const validate = ajv.compile(schema);
  expect(validate(value), `${where}: ${JSON.stringify(validate.errors)}`).toBe(true);
}

describe.each(operations)("$operationId", ({ operationId, requestBody, responses }) => {
  const media = [
    ...Object.values(requestBody?.content ?? {}).map((one) => ["request", one] as const),
    ...responses.flatMap(([status, { content = {} }]) =>
      Object.values(content).map((one) => [status, one] as const),
    ),
  ];

  test("has a valid example of every request and reply", () => {
    expect(media.length).toBeGreaterThanOrEqual(5);
    for (const [where, { schema, examples }] of media) {
      expect(Object.keys(examples).length, `${operationId} ${where}`).toBeGreaterThan(0);
      for (const [name, example] of Object.entries(examples)) {
        expectValid(schema, resolve("examples", example).value, `${operationId} ${where} ${name}`);
      }
    }
  });

  test("lists each error under its status", () => {
    for (const [status, { content }] of responses) {
      for (const [code, example] of Object.entries(content?.["application/problem+json"]?.examples ?? {})) {
        expect(resolve("examples", example).value).toMatchObject({ code, status: Number(status) });
        expect(PROBLEMS[code as keyof typeof PROBLEMS].status).toBe(Number(status));
      }
    }
  });
});

test("every header example is valid", () => {
  for (const [name, { schema, example }] of Object.entries(components.headers)) {
    if (example !== undefined) expectValid(schema, example, name);
  }
});
