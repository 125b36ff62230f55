import { beforeAll, describe, expect, test } from "vitest";
import {
  type BadInputWorld,
  type BadRequest,
  badRequests,
  batchBody,
  makeBadInputWorld,
  RECIPIENT,
} from "@/testing/bad-input";
import { toRestRequest } from "@/testing/rest-request";
import { useLedger } from "@/testing/use-ledger";
import { FIELD_CODES, FIELD_ERRORS_MAX, PROBLEMS, type Problem } from "../kernel/values/problems";
import { handleRest } from "./handler";

const { db } = useLedger({ serves: true });
let world: BadInputWorld;
let requests: BadRequest[];

beforeAll(async () => {
  world = await makeBadInputWorld(db);
  requests = badRequests(world);
});

const stored = () => db.sql`
  select (select count(*) from batches) as batches, (select count(*) from batch_transfers) as transfers,
    (select count(*) from issuances) as issuances, (select count(*) from accounts) as accounts,
    (select count(*) from audit_log) as audit, (select count(*) from contracts) as contracts,
    (select sum(earned + received + sent + pending)::text from accounts) as moved,
    (select string_agg(id || status, ',' order by seq) from batches) as states`;

const FOREIGN_WORDS =
  /postgres|drizzle|zod|syntax|unexpected (token|end)|at position|json\.parse|sqlstate|constraint|relation|invalid input|econn|node_modules|trpc|typeerror|rangeerror|\bat \S+:\d+|undefined|\[object|invalid option|expected (string|number)/i;

/** Checks what every error reply must have. */
async function expectProblem(response: Response, request: BadRequest): Promise<Problem> {
  const text = await response.text();
  expect(response.headers.get("content-type"), text).toBe("application/problem+json");
  const problem = JSON.parse(text) as Problem;
  expect({ status: response.status, code: problem.code }, text).toEqual({
    status: request.status,
    code: request.code,
  });
  expect(problem).toMatchObject({
    success: false,
    type: `/docs/errors#${request.code}`,
    title: PROBLEMS[request.code].title,
    status: PROBLEMS[request.code].status,
    detail: expect.stringMatching(/^[A-Z0-9/?].*\.$/s),
    requestId: response.headers.get("x-request-id"),
  });
  expect(problem.requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("content-length")).toBe(String(Buffer.byteLength(text)));
  if (problem.status === 401) expect(response.headers.get("www-authenticate")).toMatch(/^Bearer /);
  if (problem.status === 405) expect(response.headers.get("allow")).toMatch(/^[A-Z]+(, [A-Z]+)*$/);
  for (const entry of problem.errors ?? []) {
    expect(Object.keys(entry).sort()).toEqual(["code", "detail", "pointer"]);
    expect(Object.keys(FIELD_CODES)).toContain(entry.code);
    expect(entry.pointer).toMatch(/^[/?]/);
  }
  const words = [problem.detail, ...(problem.errors ?? []).map((entry) => entry.detail)].join("\n");
  expect(words).not.toMatch(FOREIGN_WORDS);
  expect((problem.errors ?? []).length).toBeLessThanOrEqual(FIELD_ERRORS_MAX);
  return problem;
}

describe("bad requests", () => {
  test("are many, each with a unique name", () => {
    expect(requests.length).toBeGreaterThanOrEqual(250);
    const names = requests.map((request) => request.name);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  test("are all rejected with a well-formed error, and store nothing", async () => {
    const [before] = await stored();
    const failures: string[] = [];
    for (const request of requests) {
      try {
        const problem = await expectProblem(await handleRest(toRestRequest(request)), request);
        const codes = (problem.errors ?? []).map((entry) => entry.code);
        if (request.field) expect(codes).toContain(request.field);
      } catch (error) {
        failures.push(`${request.name}: ${(error as Error).message}`);
      }
    }
    expect(failures).toEqual([]);
    expect((await stored())[0]).toEqual(before);
  });
});

const post = (body: string, method = "POST", id = "") =>
  handleRest(
    toRestRequest({
      method,
      path: `/v1/contracts/${world.contract}/batches${id}`,
      headers: [
        ["Authorization", `Bearer ${world.tokens.own}`],
        ["Content-Type", "application/json"],
      ],
      body: [Buffer.from(body)],
    }),
  );

describe("a reply lists all errors together", () => {
  test("with every invalid row and every other invalid field", async () => {
    const body = batchBody({
      pointType: "GOLD",
      secondsToFinalize: "soon",
      extra: 1,
      transfers: [
        { toAddress: RECIPIENT, points: "1" },
        { toAddress: "0x12", points: "1e3" },
        { toAddress: RECIPIENT, points: 5 },
        { points: "1" },
        { toAddress: world.contract, points: "1", note: "x" },
      ],
    });
    const problem = (await (await post(body)).json()) as Problem;
    expect(problem.errors!.map(({ pointer, code }) => `${pointer} ${code}`).sort()).toEqual([
      "/extra unknown_field",
      "/pointType invalid_value",
      "/secondsToFinalize invalid_type",
      "/transfers/1/points invalid_points",
      "/transfers/1/toAddress invalid_address",
      "/transfers/2/points invalid_type",
      "/transfers/2/toAddress duplicate_destination",
      "/transfers/3/toAddress required",
      "/transfers/4/note unknown_field",
      "/transfers/4/toAddress destination_is_contract",
    ]);
  });

  test("in the order of the rows, whatever is wrong with each", async () => {
    const transfers = [
      { toAddress: RECIPIENT, points: "1,5" },
      { toAddress: RECIPIENT, points: 5 },
      { toAddress: "0x12", points: "1" },
      { points: "1", memo: "x" },
      { toAddress: RECIPIENT, points: "0" },
      { toAddress: `0x${"2".repeat(40)}`, points: null },
    ];
    const problem = (await (await post(batchBody({ transfers, secondsToFinalize: -1 }))).json()) as Problem;
    expect(problem.errors!.map(({ pointer }) => pointer.split("/")[2] ?? pointer)).toEqual([
      "0",
      "1",
      "1",
      "2",
      "3",
      "3",
      "4",
      "4",
      "5",
      "/secondsToFinalize",
    ]);
  });

  test("with the first hundred of 2,000 invalid rows and the total", async () => {
    const transfers = Array.from({ length: 2000 }, () => ({ toAddress: "0x", points: "x" }));
    const problem = (await (await post(batchBody({ transfers }))).json()) as Problem;
    expect(problem.errors).toHaveLength(FIELD_ERRORS_MAX);
    expect(problem.errorCount).toBe(4000);
  });

  test("with both digests of a conflict, and the available and requested points of a shortfall", async () => {
    const conflict = await post(batchBody({ secondsToFinalize: 3601 }), "PUT", "/pending");
    expect(await conflict.json()).toMatchObject({
      storedDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
      sentDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const shortfall = await handleRest(
      toRestRequest(requests.find(({ code }) => code === "insufficient_points")!),
    );
    expect(await shortfall.json()).toMatchObject({ available: "0", asked: "10.5" });
  });
});
