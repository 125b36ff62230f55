import { beforeAll, describe, expect, test } from "vitest";
import { newContractToken } from "@/testing/launch-app";
import { useBuiltApp } from "@/testing/test-database";

const CONTRACT = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

describe.each(["host", "next"] as const)("the API through %s", (door) => {
  const app = useBuiltApp({ door, environment: { MINIMUM_FINALIZE_SECONDS: "1" } });
  let token: string;

  beforeAll(async () => {
    token = await newContractToken(app, CONTRACT);
  });

  const call = async (method: string, path: string, token: string | null, body?: unknown) => {
    const reply = await fetch(app.url + path, {
      method,
      headers: {
        ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body),
    });
    const text = await reply.text();
    return { status: reply.status, headers: reply.headers, body: text ? JSON.parse(text) : null };
  };
  test("a known path with another method is 405 with Allow, an unknown path is 404, and neither is HTML or a redirect", async () => {
    const wrong = await call("PATCH", `/v1/contracts/${CONTRACT}/batches`, token);
    expect(wrong).toMatchObject({ status: 405, body: { code: "method_not_allowed" } });
    expect(wrong.headers.get("allow")).toBe("POST, GET, HEAD, OPTIONS");
    for (const path of ["/v1/nothing", `/v1/contracts/${CONTRACT}/batches/`, "/v1/"])
      expect(await call("GET", path, token), path).toMatchObject({
        status: 404,
        body: { code: "not_found" },
      });
    const head = await fetch(`${app.url}/v1/contracts/${CONTRACT}/batches`, {
      method: "HEAD",
      headers: { Authorization: `Bearer ${token}` },
    });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  test("a batch of 2,000 transfers is finalized when due, every recipient is credited, and the ledger balances", async () => {
    const path = `/v1/contracts/${CONTRACT}/batches`;
    const transfers = Array.from({ length: 2000 }, (_, i) => ({
      toAddress: `0x${(i + 4096).toString(16).padStart(40, "0")}`,
      points: `${i + 1}.000000000001`,
    }));
    const submitted = await call("POST", path, token, {
      pointType: "PHASE2_POINTS",
      secondsToFinalize: 1,
      transfers,
    });
    expect(submitted.status).toBe(200);
    const { batchId } = submitted.body as { batchId: string };
    let batch: { status: string; finalizeAt: string; updatedAt: string; points: string };
    do {
      await new Promise((resolve) => setTimeout(resolve, 100));
      batch = (await call("GET", `${path}/${batchId}`, token)).body.batch;
    } while (batch.status !== "FINALIZED");
    expect(batch).toMatchObject({ status: "FINALIZED", points: "2001000.000000002" });
    const listed = await call("GET", `${path}?status=FINALIZED&limit=1`, token);
    expect(listed.body.batch[0].id).toBe(batchId);
    expect(Date.parse(batch.updatedAt)).toBeGreaterThanOrEqual(Date.parse(batch.finalizeAt));
    const report = JSON.parse(await app.ops(["verify-ledger", "--json"])) as {
      ok: boolean;
      transfers: number;
    };
    expect(report.ok).toBe(true);
    expect(report.transfers).toBeGreaterThanOrEqual(2000);
  });
});
