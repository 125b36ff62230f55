import { describe, expect, test, vi } from "vitest";
import { log } from "@/server/kernel/log";
import { settings } from "@/server/kernel/settings";
import { handleConsole } from "./console-endpoint";

const post = (body: BodyInit, headers: Record<string, string> = {}, signal: AbortSignal | null = null) =>
  handleConsole(
    new Request("http://console.example/api/trpc/console.batches.submit", {
      method: "POST",
      headers: { "Content-Type": "application/json", host: "console.example", ...headers },
      body,
      signal,
      ...(body instanceof ReadableStream && { duplex: "half" }),
    }),
  );
const sameOrigin = { origin: "http://console.example" };

const problemOf = async (reply: Response) =>
  ((await reply.json()) as { error: { data: { problem: { code: string; detail: string } } } }).error.data
    .problem;

describe("the console endpoint", () => {
  test("refuses a mutation from another origin", async () => {
    const reply = await post("{}", { origin: "http://elsewhere.example" });
    expect(reply.status).toBe(403);
    expect((await problemOf(reply)).code).toBe("not_allowed");
  });

  test("refuses a request that calls more than 10 procedures, however the comma is written", async () => {
    for (const comma of [",", "%2C"]) {
      const path = Array(11).fill("console.batches.facets").join(comma);
      const reply = await handleConsole(
        new Request(`http://console.example/api/trpc/${path}?batch=1&input={}`),
      );
      expect(reply.status).toBe(400);
      expect(await problemOf(reply)).toMatchObject({
        code: "validation_failed",
        detail:
          "A request may call up to 10 procedures, and this one calls 11. Send the others in another request.",
      });
    }
  });

  test("logs no error when the caller leaves before its body is read", async () => {
    const failed = vi.spyOn(log(), "error");
    const leaving = new AbortController();
    const pull = (body: ReadableStreamDefaultController) => {
      leaving.abort();
      body.error(new Error("aborted"));
    };
    await post(new ReadableStream({ pull }, { highWaterMark: 0 }), sameOrigin, leaving.signal);
    expect(failed).not.toHaveBeenCalled();
    // A caller that is still there must be able to report the request ID.
    await post(new ReadableStream({ pull }, { highWaterMark: 0 }), sameOrigin);
    expect(failed).toHaveBeenCalledOnce();
  });

  test("counts calls with a made-up session cookie like strangers' calls, per client address", async () => {
    const call = (address: string) =>
      post("x".repeat(16_385), {
        ...sameOrigin,
        cookie: "next-auth.session-token=x",
        "x-forwarded-for": address,
      });
    const perWindow = Math.ceil(settings().CONSOLE_RATE_LIMIT_PER_MINUTE / 60);
    // They may send at most 16 KB.
    for (let sent = 0; sent < perWindow; sent++) expect((await call("192.0.2.1")).status).toBe(413);
    const refused = await call("192.0.2.1");
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await problemOf(refused)).code).toBe("rate_limited");
    expect((await call("192.0.2.2")).status).toBe(413);
  });
});
