import Ajv from "ajv";
import Ajv2020 from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { afterEach, expect, test, vi } from "vitest";
import { forgetSingles } from "@/testing/rest-request";
import { type OpenApi, openApiDocument, type Parameter, type Reply } from "./openapi-document";

afterEach(() => {
  vi.unstubAllEnvs();
  forgetSingles();
});

interface Node {
  [name: string]: unknown;
}

/** Every object in the document. */
function nodesIn(node: unknown): Node[] {
  if (typeof node !== "object" || node === null) return [];
  const inner = Object.values(node).flatMap(nodesIn);
  return Array.isArray(node) ? inner : [node as Node, ...inner];
}

test.each<[string, (node: Node) => boolean]>([
  ["null as a type of its own", ({ type }) => type === "null"],
  [
    "a nullable enum without null",
    (node) => isNullable(node) && Array.isArray(node.enum) && !node.enum.includes(null),
  ],
  ["a const that is false", (node) => node.const === false],
  [
    "a length beside a format or an enum",
    (node) => "maxLength" in node && (node.format === "date-time" || "enum" in node),
  ],
  ["an identifier of a license", (node) => "identifier" in node],
])("the document has nothing that is lost in OpenAPI 3.0: %s", (_, isLost) => {
  const nodes = nodesIn(openApiDocument());
  expect(nodes.length).toBeGreaterThan(1000);
  expect(nodes.filter(isLost)).toEqual([]);
});

test("the license has a URL, without which swagger-parser refuses the document", () => {
  expect(openApiDocument().info.license).toEqual({ name: "MIT", url: expect.stringMatching(/^https:/) });
});

const isNullable = ({ type }: Node) => Array.isArray(type) && type.includes("null");

/** The schema of an operation's body. */
const bodyOf = (path: string, method: "post" | "put") => {
  const operation = openApiDocument().paths![path]![method] as unknown as {
    requestBody: { content: { "application/json": { schema: { properties: Record<string, Node> } } } };
  };
  return operation.requestBody.content["application/json"].schema.properties;
};

const BATCHES = "/v1/contracts/{contractAddress}/batches";

test("the document begins with the submit that is always safe to repeat, before the one that needs a key", () => {
  const operations = Object.entries(openApiDocument().paths!).flatMap(([path, item]) =>
    Object.keys(item!).map((method) => `${method} ${path}`),
  );
  expect(operations[0]).toBe(`put ${BATCHES}/{batchId}`);
  expect(operations).toContain(`post ${BATCHES}`);
});

test("bodies have this host's limits as numbers, and the server its URL", () => {
  vi.stubEnv("MAX_TRANSFERS_PER_BATCH", "7");
  vi.stubEnv("PUBLIC_URL", "https://points.example.com");
  forgetSingles();
  expect(bodyOf(BATCHES, "post").transfers!.maxItems).toBe(7);
  expect(bodyOf(`${BATCHES}/{batchId}`, "put").transfers!.maxItems).toBe(7);
  expect(bodyOf(`${BATCHES}/{batchId}/reversal`, "post").toAddresses!.maxItems).toBe(7);
  expect(bodyOf(BATCHES, "post").metadata).toEqual({ $ref: "#/components/schemas/Metadata" });
  expect(serverUrl()).toBe("https://points.example.com");
});

const serverUrl = () => openApiDocument().servers![0]!.url;

test("the server has an absolute URL without PUBLIC_URL, too, from the port and never from a request", () => {
  vi.stubEnv("PORT", "8080");
  forgetSingles();
  expect(serverUrl()).toBe("http://localhost:8080");
});

const operations = () =>
  Object.values((openApiDocument() as unknown as OpenApi).paths).flatMap((methods) => Object.values(methods));
const schemasOf = ({ content = {} }: Pick<Reply, "content"> = {}) =>
  Object.values(content).map(({ schema }) => schema);
const requestSchemas = () =>
  operations().flatMap(({ parameters = [], requestBody }) => [
    ...schemasOf(requestBody),
    ...parameters.map(({ schema }) => schema),
  ]);
const replySchemas = () =>
  operations().flatMap(({ responses }) => Object.values(responses).flatMap(schemasOf));

test.each([
  ["request", "draft 7, without formats", new Ajv({ strict: true }), requestSchemas],
  ["request", "2020-12, without formats", new Ajv2020({ strict: true }), requestSchemas],
  ["reply", "2020-12", addFormats(new Ajv2020({ strict: true }), ["date-time"]), replySchemas],
])("every schema of a %s compiles in the strict mode of Ajv for %s", (_, _draft, ajv, schemas) => {
  const shared = { $defs: openApiDocument().components!.schemas };
  const refused = schemas().flatMap((schema) => {
    const whole = JSON.stringify({ ...schema, ...shared }).replaceAll("#/components/schemas/", "#/$defs/");
    try {
      ajv.compile(JSON.parse(whole));
      return [];
    } catch (error) {
      return `${(error as Error).message} in ${whole.slice(0, 200)}`;
    }
  });
  expect(refused).toEqual([]);
  expect(schemas().length).toBeGreaterThan(40);
});

/** Every object in the schemas of requests, through references. */
function nodesInRequests(): Node[] {
  const { schemas } = openApiDocument().components!;
  const followed = (node: unknown): Node[] =>
    nodesIn(node).flatMap((one) => {
      const name = typeof one.$ref === "string" && one.$ref.split("/").at(-1);
      return name ? [one, ...followed(schemas![name])] : [one];
    });
  return operations().flatMap(({ parameters, requestBody }) => followed([parameters, requestBody]));
}

test("no field of a request has null as a second type: leaving it out says the same", () => {
  expect(bodyOf(BATCHES, "post").secondsToFinalize).toMatchObject({ type: "integer", minimum: 10 });
  const nodes = nodesInRequests();
  expect(nodes.length).toBeGreaterThan(200);
  expect(nodes.filter(isNullable)).toEqual([]);
});

test("importers send the examples and defaults of parameters: only required ones have an example, and a submit pays", () => {
  const parameters = operations().flatMap(({ parameters = [] }) => parameters);
  const [required, optional] = [true, false].map((is) =>
    parameters.filter((one) => (one.required ?? false) === is),
  );
  const hasExample = ({ schema }: Parameter) => schema.examples !== undefined;
  expect(required!.filter(({ name }) => name === "contractAddress").every(hasExample)).toBe(true);
  expect(optional!.length).toBeGreaterThan(20);
  expect(optional!.filter(hasExample)).toEqual([]);
  const dryRuns = optional!.filter(({ name }) => name === "dryRun");
  expect(dryRuns.map(({ schema }) => schema.default)).toEqual([false, false, false]);
});

test("the minimum of a transfer is beside the operations that take one", () => {
  vi.stubEnv("MINIMUM_TRANSFER_POINTS", "0.5");
  forgetSingles();
  const minimums = operations().flatMap(({ operationId, "x-minimumPoints": minimum }) =>
    minimum ? [[operationId, minimum]] : [],
  );
  const minimum = { PHASE2_POINTS: "0.5", PHASE2_GOLD: "0.000001" };
  expect(minimums).toEqual([
    ["batches-submitIdempotently", minimum],
    ["batches-submit", minimum],
  ]);
});
