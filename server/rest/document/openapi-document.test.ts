import { afterEach, expect, test, vi } from "vitest";
import { forgetSingles } from "@/testing/rest-request";
import { openApiDocument } from "./openapi-document";

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
  expect(openApiDocument().servers![0]!.url).toBe("https://points.example.com");
});
