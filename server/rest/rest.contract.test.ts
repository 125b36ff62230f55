import { readFileSync } from "node:fs";
import Ajv2020 from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuiltApp, startBuiltApp } from "../testing/built-app";

const CONTRACT = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const OTHER = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
const UNREGISTERED = "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB";

type Schema = Record<string, unknown>;
interface OperationObject {
  operationId: string;
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}
const document = JSON.parse(readFileSync("openapi.json", "utf8")) as {
  paths: Record<string, Record<string, OperationObject>>;
  components: { schemas?: Record<string, Schema> };
};
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats(ajv);

/** A request per operation of the document that succeeds when it may: a new operation without a row fails the test below. */
const VALID_BODY = {
  pointType: "PHASE2_POINTS",
  transfers: [{ toAddress: `0x${"1".repeat(40)}`, points: "10.5" }],
};
const REQUESTS: Record<string, { scope: "batches:read" | "batches:write"; body?: object }> = {
  "batches-submit": { scope: "batches:write", body: VALID_BODY },
  "batches-submitIdempotently": { scope: "batches:write", body: VALID_BODY },
  "batches-list": { scope: "batches:read" },
  "batches-get": { scope: "batches:read" },
  "batches-cancel": { scope: "batches:write" },
  "balances-get": { scope: "batches:read" },
};

describe.each(["host", "next"] as const)("the %s door", (door) => {
  let app: BuiltApp;
  const tokens: Record<"all" | "read" | "write" | "other", string> = {} as never;

  beforeAll(async () => {
    app = await startBuiltApp({ door, environment: { MINIMUM_FINALIZE_SECONDS: "1" } });
    for (const address of [CONTRACT, OTHER]) {
      await app.ops(["contract", "create", "--address", address, "--label", address.slice(0, 6), "--json"]);
    }
    const make = async (contract: string, ...more: string[]) =>
      (
        JSON.parse(
          await app.ops(["token", "create", "--contract", contract, "--name", "test", "--json", ...more]),
        ) as { token: string }
      ).token;
    tokens.all = await make(CONTRACT);
    tokens.read = await make(CONTRACT, "--scopes", "batches:read");
    tokens.write = await make(CONTRACT, "--scopes", "batches:write");
    tokens.other = await make(OTHER);
  });
  afterAll(() => app?.stop());

  const call = async (
    method: string,
    path: string,
    token: string | null,
    body?: unknown,
    headers: Record<string, string> = {},
  ) => {
    const reply = await fetch(app.url + path, {
      method,
      headers: {
        ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body),
    });
    const text = await reply.text();
    return { status: reply.status, headers: reply.headers, body: text ? JSON.parse(text) : null };
  };
  const concrete = (path: string, contract = CONTRACT, batchId = "b-1") =>
    path.replace("{contractAddress}", contract).replace("{batchId}", batchId);

  test("every operation of the document has a row here", () => {
    expect(operations.map(({ operation }) => operation.operationId).sort()).toEqual(
      Object.keys(REQUESTS).sort(),
    );
  });

  test("the served document is the committed one", async () => {
    const served = await call("GET", "/v1/openapi.json", null);
    expect(Object.keys(served.body.paths)).toEqual(Object.keys(document.paths));
  });

  describe.each(operations)("$method $path", ({ method, path, operation }) => {
    const row = () => REQUESTS[operation.operationId]!;
    const lacking = () => (row().scope === "batches:read" ? tokens.write : tokens.read);
    const refused = [
      ["no token", () => null, CONTRACT, 401, "missing_token"],
      ["a garbled token", () => "ptb_nonsense", CONTRACT, 401, "invalid_token"],
      ["an unknown token", () => `${tokens.all.slice(0, -8)}AAAAAAAA`, CONTRACT, 401, "invalid_token"],
      ["the cron secret", () => app.cronSecret, CONTRACT, 401, "invalid_token"],
      ["the token of another contract", () => tokens.other, CONTRACT, 403, "wrong_contract"],
      ["a token without the scope", lacking, CONTRACT, 403, "missing_scope"],
      ["an unregistered contract", () => tokens.all, UNREGISTERED, 404, "contract_not_found"],
    ] as const;

    test.each(refused)("refuses %s", async (_, token, contract, status, code) => {
      const reply = await call(method, concrete(path, contract), token(), row().body);
      expect(reply).toMatchObject({ status, body: { success: false, status, code } });
      expect(reply.headers.get("content-type")).toBe("application/problem+json");
      if (status === 401) expect(reply.headers.get("www-authenticate")).toMatch(/^Bearer/);
    });

    test("answers as the document says", async () => {
      if (path.includes("{batchId}") && method !== "PUT") {
        await call("PUT", concrete(path, CONTRACT, `for-${method}`), tokens.all, VALID_BODY);
      }
      const reply = await call(method, concrete(path, CONTRACT, `for-${method}`), tokens.all, row().body);
      expect(reply.status).toBe(200);
      const schema = operation.responses["200"]?.content?.["application/json"]?.schema;
      expect(schema).toBeDefined();
      const validate = ajv.compile({ ...schema, components: document.components });
      expect(validate(reply.body), JSON.stringify(validate.errors)).toBe(true);
      expect(reply.headers.get("cache-control")).toBe("no-store");
      expect(reply.headers.get("x-request-id")).toMatch(/^[\w-]{36}$/);
    });
  });

  test("a known path with another method is 405 with Allow; an unknown one 404; never HTML, never a redirect", async () => {
    const wrong = await call("PATCH", `/v1/contracts/${CONTRACT}/batches`, tokens.all);
    expect(wrong).toMatchObject({ status: 405, body: { code: "method_not_allowed" } });
    expect(wrong.headers.get("allow")).toBe("POST, GET, HEAD");
    for (const path of ["/v1/nothing", `/v1/contracts/${CONTRACT}/batches/`, "/v1/"]) {
      expect(await call("GET", path, tokens.all), path).toMatchObject({
        status: 404,
        body: { code: "not_found" },
      });
    }
    const head = await fetch(`${app.url}/v1/contracts/${CONTRACT}/batches`, {
      method: "HEAD",
      headers: { Authorization: `Bearer ${tokens.all}` },
    });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  test("a body over 1 MiB is 413, another media type 415, broken JSON 400", async () => {
    const path = `/v1/contracts/${CONTRACT}/batches`;
    const padded = `{"pointType":"${"x".repeat(1_048_577)}"}`;
    expect(await call("POST", path, tokens.all, padded)).toMatchObject({
      status: 413,
      body: { code: "body_too_large" },
    });
    const text = await call("POST", path, tokens.all, "{}", { "Content-Type": "text/plain" });
    expect(text).toMatchObject({ status: 415, body: { code: "unsupported_media_type" } });
    expect(await call("POST", path, tokens.all, "{")).toMatchObject({
      status: 400,
      body: { code: "invalid_json" },
    });
  });

  test("the caller's request id comes back when it is safe", async () => {
    const reply = await call("GET", `/v1/contracts/${CONTRACT}/batches`, tokens.all, undefined, {
      "X-Request-Id": "trace-1",
    });
    expect(reply.headers.get("x-request-id")).toBe("trace-1");
  });

  test("a batch of 2,000 transfers is FINALIZED by itself when due, every recipient credited, the ledger balances", async () => {
    const path = `/v1/contracts/${CONTRACT}/batches`;
    const transfers = Array.from({ length: 2000 }, (_, i) => ({
      toAddress: `0x${(i + 4096).toString(16).padStart(40, "0")}`,
      points: `${i + 1}.000000000001`,
    }));
    const submitted = await call("POST", path, tokens.all, {
      pointType: "PHASE2_POINTS",
      secondsToFinalize: 1,
      transfers,
    });
    expect(submitted.status).toBe(200);
    const { batchId } = submitted.body as { batchId: string };
    let batch: { status: string; finalizeAt: string; updatedAt: string; points: string };
    const endsAt = Date.now() + 15_000;
    do {
      await new Promise((resolve) => setTimeout(resolve, 100));
      batch = (await call("GET", `${path}/${batchId}`, tokens.all)).body.batch;
    } while (batch.status !== "FINALIZED" && Date.now() < endsAt);
    expect(batch).toMatchObject({ status: "FINALIZED", points: "2001000.000000002" });
    const listed = await call("GET", `${path}?status=FINALIZED&limit=1`, tokens.all);
    expect(listed.body.batch[0].id).toBe(batchId);
    expect(Date.parse(batch.updatedAt)).toBeGreaterThanOrEqual(Date.parse(batch.finalizeAt));
    const report = JSON.parse(await app.ops(["verify-ledger", "--json"])) as {
      ok: boolean;
      transfers: number;
    };
    expect(report.ok).toBe(true);
    expect(report.transfers).toBeGreaterThanOrEqual(2000);
  });

  test("the cron route finalizes with the secret only", async () => {
    expect(await call("GET", "/api/cron/finalize", null)).toMatchObject({
      status: 401,
      body: { code: "missing_token" },
    });
    expect(await call("GET", "/api/cron/finalize", tokens.all)).toMatchObject({
      status: 401,
      body: { code: "invalid_token" },
    });
    const run = await call("GET", "/api/cron/finalize", app.cronSecret);
    expect(run).toMatchObject({ status: 200, body: { success: true, failure: null } });
    expect(Object.keys(run.body)).toEqual(
      expect.arrayContaining(["batchesFinalized", "transfersSettled", "dueLeft"]),
    );
  });

  test("livez and readyz answer", async () => {
    expect((await call("GET", "/livez", null)).status).toBe(200);
    expect(await call("GET", "/readyz", null)).toMatchObject({ status: 200, body: { ready: true } });
  });
});
