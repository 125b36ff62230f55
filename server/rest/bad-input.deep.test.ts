import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDatabase, type Database } from "@/db/client";
import type { BadInputWorld, BadRequest } from "@/testing/bad-input";
import { badRequests, makeBadInputWorld } from "@/testing/bad-input";
import { startBuiltApp } from "@/testing/built-app";
import type { BuiltApp } from "@/testing/launch-app";
import { sendRaw } from "@/testing/send-raw";

/** Excludes requests that Node's client refuses to send, and paths outside the API. */
const isSendable = ({ path }: BadRequest) => /^\/v1(?:[/?]|$)/.test(path) && !path.includes(" ");

/** Next changes these before a route handler runs: it normalizes paths and drops GET bodies and repeated headers. */
const NEXT_SETTLES = [
  /^(?:a body too large for a GET|a GET with fields in its body|a list with text as body)$/,
  /^\?__proto__=1$/,
  /^path \/v1.*\.\./,
  /^PROPFIND /,
  /^(?:contract|forecast of|receipt of|(?:GET|PUT|DELETE|root) of id) (?:\.|%2e){1,2}$/i,
  /^Authorization twice$/,
];

describe.each(["host", "next"] as const)("bad requests over HTTP through %s", (door) => {
  let app: BuiltApp;
  let db: Database;
  let world: BadInputWorld;

  beforeAll(async () => {
    app = await startBuiltApp({
      door,
      environment: { FINALIZER: "off", MINIMUM_FINALIZE_SECONDS: "3600" },
    });
    db = createDatabase({ url: app.databaseUrl(), poolMax: 2, timeoutSeconds: 10, pooler: "none" });
    world = await makeBadInputWorld(db);
  });
  afterAll(async () => {
    await db?.close();
    await app?.stop();
  });

  const stored = () => db.sql`
    select (select count(*) from batches) as batches, (select count(*) from batch_transfers) as transfers,
      (select sum(earned + received + sent + pending)::text from accounts) as moved`;

  test("are all rejected with a well-formed error, and store nothing", async () => {
    const before = await stored();
    const failures: string[] = [];
    const requests = badRequests(world)
      .filter(isSendable)
      .filter(({ name }) => door === "host" || !NEXT_SETTLES.some((pattern) => pattern.test(name)));
    expect(requests.length).toBeGreaterThanOrEqual(500);
    for (const request of requests) {
      const reply = await sendRaw(app.url, request).catch((error: Error) => error);
      const actual = reply instanceof Error ? reply.message : outcome(reply);
      const expected = `${request.status} ${request.code}`;
      if (actual !== expected) failures.push(`${request.name}: ${actual} instead of ${expected}`);
    }
    expect(failures).toEqual([]);
    expect(await stored()).toEqual(before);
  });
});

function outcome(reply: { status: number; headers: Record<string, unknown>; text: string }): string {
  const type = String(reply.headers["content-type"]);
  if (type !== "application/problem+json") return `${reply.status} ${type}`;
  const { code, requestId } = JSON.parse(reply.text) as { code: string; requestId: string };
  return `${reply.status} ${code}${requestId === reply.headers["x-request-id"] ? "" : " with another request id"}`;
}
