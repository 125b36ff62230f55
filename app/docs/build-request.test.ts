import { describe, expect, test } from "vitest";
import { buildRequest, type Callable, curlOf } from "@/app/docs/build-request";

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
