import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDatabase, type Database } from "@/db/client";
import { FIELD_CODES, FIELD_ERRORS_MAX, PROBLEMS, type Problem } from "@/terms/problems";
import type { BadInputWorld, BadRequest } from "@/testing/bad-input";
import { badRequests, makeBadInputWorld } from "@/testing/bad-input";
import type { BuiltApp } from "@/testing/launch-app";
import { startBuiltApp } from "@/testing/launch-app";
import { type RawReply, sendRaw } from "@/testing/rest-request";

const FOREIGN_WORDS =
  /postgres|drizzle|zod|syntax|unexpected (token|end)|at position|json\.parse|sqlstate|constraint|relation|invalid input|econn|node_modules|trpc|typeerror|rangeerror|\bat \S+:\d+|undefined|\[object|invalid option|expected (string|number)/i;

/** Checks what every error reply must have. */
function expectProblem({ status, headers, text }: RawReply, request: BadRequest): void {
  expect(headers["content-type"], text).toBe("application/problem+json");
  const problem = JSON.parse(text) as Problem;
  expect({ status, code: problem.code }, text).toEqual({
    status: PROBLEMS[request.code].status,
    code: request.code,
  });
  expect(problem).toMatchObject({
    success: false,
    type: `/docs/errors#${request.code}`,
    title: PROBLEMS[request.code].title,
    status: PROBLEMS[request.code].status,
    detail: expect.stringMatching(/^[A-Z0-9/?].*\.$/s),
    requestId: headers["x-request-id"],
  });
  expect(problem.requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers["cache-control"]).toBe("no-store");
  if (problem.status === 401) expect(headers["www-authenticate"]).toMatch(/^Bearer /);
  if (problem.status === 405) expect(headers.allow).toMatch(/^[A-Z]+(, [A-Z]+)*$/);
  // Language models often get no more than this of an error.
  const [first] = problem.errors ?? [];
  if (first)
    expect(problem.detail.slice(0, 200).toLowerCase()).toContain(first.pointer.slice(1).toLowerCase());
  for (const entry of problem.errors ?? []) {
    expect(Object.keys(entry).sort()).toEqual(["code", "detail", "pointer"]);
    expect(Object.keys(FIELD_CODES)).toContain(entry.code);
    expect(entry.pointer).toMatch(/^[/?][^\p{Cc}\p{Cs}]*$/u);
  }
  const words = [problem.detail, ...(problem.errors ?? []).map((entry) => entry.detail)].join("\n");
  expect(words).not.toMatch(FOREIGN_WORDS);
  expect((problem.errors ?? []).length).toBeLessThanOrEqual(FIELD_ERRORS_MAX);
  const codes = (problem.errors ?? []).map((entry) => entry.code);
  if (request.field) expect(codes).toContain(request.field);
}

describe("bad requests over HTTP", () => {
  let app: BuiltApp;
  let db: Database;
  let world: BadInputWorld;

  beforeAll(async () => {
    app = await startBuiltApp({ environment: { FINALIZER: "off", MINIMUM_FINALIZE_SECONDS: "3600" } });
    db = createDatabase({ url: app.databaseUrl(), poolMax: 2, timeoutSeconds: 10, pooler: "none" });
    world = await makeBadInputWorld(db);
  });
  afterAll(async () => {
    await db?.close();
    await app?.stop();
  });

  const stored = () => db.sql`
    select (select count(*) from batches) as batches, (select count(*) from batch_transfers) as transfers,
      (select count(*) from issuances) as issuances, (select count(*) from accounts) as accounts,
      (select count(*) from audit_log) as audit, (select count(*) from contracts) as contracts,
      (select count(*) from snapshots) as snapshots,
      (select sum(earned + received + sent + pending)::text from accounts) as moved,
      (select string_agg(id || status, ',' order by seq) from batches) as states`;

  test("are all rejected with a well-formed error, and store nothing", async () => {
    const before = await stored();
    const failures: string[] = [];
    const requests = badRequests(world);
    expect(requests.length).toBeGreaterThanOrEqual(230);
    for (const request of requests) {
      try {
        const reply = await sendRaw(app.url, request);
        expectProblem(reply, request);
        expect(reply.headers["content-length"]).toBe(String(Buffer.byteLength(reply.text)));
      } catch (error) {
        failures.push(`${request.name}: ${(error as Error).message}`);
      }
    }
    expect(failures).toEqual([]);
    expect(await stored()).toEqual(before);
  });
});
