import { describe, expect, test } from "vitest";
import { buildRequest, type Callable, curlOf } from "@/app/docs/build-request";
import { type OpenApi, readOperations } from "@/app/docs/document";
import { readDocument, readErrors } from "@/app/docs/read-document";
import { PROBLEMS } from "@/server/kernel/values/problems";

const document = readDocument();
const operations = readOperations(document);

describe("the served document", () => {
  test("every operation is shown, with a unique anchor", () => {
    const served = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((key) => /^(?:get|post|put|patch|delete)$/.test(key))
        .map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(served.sort());
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
  });

  test("every status of every operation is shown, with an example wherever it has a body", () => {
    for (const { method, path, id, replies } of operations) {
      const served = Object.keys(document.paths[path]![method.toLowerCase()]!.responses!);
      expect(replies.map(({ status }) => status).sort(), id).toEqual(served.sort());
      for (const { status, mediaType, samples } of replies) {
        if (mediaType) expect(samples?.[0]?.text, `${id} ${status}`).toBeTruthy();
      }
    }
  });

  test("the fields of a submit are shown with their limits, nested ones included", () => {
    const rows = operations.find(({ path, method }) => method === "PUT" && path.endsWith("{batchId}"))!.body!
      .shapes[0]!.rows;
    expect(rows.map(({ prefix, name }) => prefix + name)).toEqual([
      "pointType",
      "transfers",
      "transfers[].toAddress",
      "transfers[].points",
      "secondsToFinalize",
    ]);
    expect(rows[0]).toMatchObject({ required: true, facts: ["one of `PHASE2_POINTS`, `PHASE2_GOLD`"] });
    expect(rows[1]!.facts).toContain("1 to 2,000 items");
    expect(rows[4]).toMatchObject({ required: false });
    expect(rows[4]!.type).toMatch(/ or null$/);
    expect(rows[4]!.facts).toContain("10 to 86,400");
  });
});

const small = (operation: object, components: object = {}): OpenApi =>
  ({ info: { title: "", version: "" }, paths: { "/a": { get: operation } }, components }) as OpenApi;

describe("variants of the document", () => {
  test("references are followed, and a broken one is an error", () => {
    const components = { responses: { Gone: { description: "Gone" } } };
    const [view] = readOperations(
      small({ responses: { 404: { $ref: "#/components/responses/Gone" } } }, components),
    );
    expect(view!.replies[0]!.description).toBe("Gone");
    const nowhere = small({ responses: { 404: { $ref: "#/components/responses/Gone" } } });
    expect(() => readOperations(nowhere)).toThrow("#/components/responses/Gone");
  });

  test("a recursive schema terminates", () => {
    const components = {
      schemas: { Tree: { type: "object", properties: { next: { $ref: "#/components/schemas/Tree" } } } },
    };
    const content = { "application/json": { schema: { $ref: "#/components/schemas/Tree" } } };
    const [view] = readOperations(small({ responses: { 200: { content } } }, components));
    expect(view!.replies[0]!.shapes![0]!.rows.length).toBeLessThan(20);
  });

  test("an operation without security needs no token, even if the document requires one by default", () => {
    const document = { ...small({ security: [] }), security: [{ accessToken: [] }] };
    expect(readOperations(document)[0]!.security).toEqual([]);
  });
});

const OPERATION: Callable = {
  id: "put",
  method: "PUT",
  path: "/v1/contracts/{contractAddress}/batches/{batchId}",
  needsToken: true,
  parameters: [
    { name: "contractAddress", in: "path", required: true, example: "0xabc", choices: null },
    { name: "batchId", in: "path", required: true, example: "", choices: null },
    { name: "dryRun", in: "query", required: false, example: "", choices: ["true", "false"] },
    { name: "If-None-Match", in: "header", required: false, example: "", choices: null },
  ],
  body: { mediaType: "application/json", text: "{}" },
};
const build = (values: Record<string, string>, token = "") =>
  buildRequest(OPERATION, values, token, `{"a":"it's"}`);

describe("the request built from the form", () => {
  test("encodes path values, and shows the example or the name for empty ones", () => {
    expect(build({ batchId: "a/b ?" }).path).toBe("/v1/contracts/0xabc/batches/a%2Fb%20%3F");
    expect(build({}).path).toBe("/v1/contracts/0xabc/batches/{batchId}");
  });

  test("leaves out empty query parameters and headers", () => {
    expect(build({ dryRun: "true" }).path).toMatch(/\{batchId\}\?dryRun=true$/);
    expect(build({}).headers).toEqual([["Content-Type", "application/json"]]);
    expect(build({ "If-None-Match": '"x"' }, "secret").headers).toEqual([
      ["Authorization", "Bearer secret"],
      ["Content-Type", "application/json"],
      ["If-None-Match", '"x"'],
    ]);
  });
});

describe("the curl command", () => {
  test("never contains the token, and stays one command whatever the body contains", () => {
    const text = curlOf("https://points.example", build({ batchId: "b1" }, "ptb_secret"));
    expect(text).not.toContain("ptb_secret");
    expect(text).toContain('-H "Authorization: Bearer $TOKEN"');
    expect(text).toContain("curl -X PUT 'https://points.example/v1/contracts/0xabc/batches/b1'");
    expect(text).toContain(`-d '{"a":"it'\\''s"}'`);
  });
});

const errors = readErrors();

test("every code of the API is explained once, without the console's own", () => {
  const codes = errors.map(({ code }) => code as string);
  expect(codes.toSorted()).toEqual(
    Object.keys(PROBLEMS)
      .filter((code) => !["not_allowed", "query_timeout"].includes(code))
      .toSorted(),
  );
});

test("every example is a complete problem that links to its own explanation", () => {
  for (const { code, status, title, example } of errors) {
    expect(JSON.parse(example), code).toMatchObject({
      success: false,
      type: `/docs/errors#${code}`,
      title,
      status,
      code,
      detail: expect.any(String),
      requestId: expect.any(String),
    });
  }
});
