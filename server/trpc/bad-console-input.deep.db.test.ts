import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { consoleReverseInput, consoleSubmitInput } from "@/server/batches/submit/submit-schema";
import { encodeCursor, encodeNumbers } from "@/server/kernel/cursor";
import { closeDatabases } from "@/server/kernel/database";
import { toDomainError } from "@/server/kernel/to-domain-error";
import { PROBLEMS } from "@/terms/problems";
import { brokenInputs, type JsonSchema, sampleOf } from "@/testing/bad-values";
import { batchOf, LIMITS, newContract, snapshotOf, submit, wallet } from "@/testing/factories";
import { serveFrom } from "@/testing/rest-request";
import { callerOf } from "@/testing/staff-caller";
import { useDatabase } from "@/testing/test-database";
import { appRouter } from "./root";

const AT = "2026-03-01T00:00:00.000Z";
const POSITION = encodeCursor({ atMs: 0, seq: 1n }, "");

const db = useDatabase();
let contractAddress: string;
/** Good values of fields, for rules that a JSON Schema cannot say. */
let named: Record<string, unknown>;

beforeAll(async () => {
  serveFrom(db);
  Object.assign(process.env, { PASSWORD_FAILURES_PER_CLIENT: "0", PASSWORD_FAILURES_PER_EMAIL: "0" });
  contractAddress = await newContract(db);
  for (const batchId of ["a", "b"])
    await submit(db, batchOf(contractAddress, [[1, "1"]], { batchId, secondsToFinalize: 3600 }));
  const admin = callerOf(db, "admin");
  const asOf = new Date().toISOString();
  const request = { contractAddress, pointType: "PHASE2_POINTS" as const };
  const [snapshot, deleted] = [await snapshotOf(db, request), await snapshotOf(db, request)];
  Object.assign(OF_PATH, {
    "snapshots.delete": { snapshotId: deleted.id },
    "snapshots.holders": { cursor: encodeNumbers([1n], snapshot.id) },
  });
  const hook = { contractAddress, url: "https://example.com/hook", events: ["batch.finalized" as const] };
  named = {
    contractAddress,
    address: wallet(1),
    operatorAddress: wallet(6),
    toAddress: wallet(1),
    recipient: wallet(1),
    recipientAddress: wallet(1),
    toAddresses: [wallet(1)],
    batchId: "a",
    withId: "b",
    reversalId: "c",
    corrects: "b",
    webhookId: (await admin.webhooks.create(hook)).endpoint.id,
    points: "1",
    minimumPoints: "1",
    threshold: "1",
    dayThreshold: "20",
    secondsToFinalize: 3600,
    createdAt: AT,
    asOf,
    snapshotId: snapshot.id,
    readAt: AT,
    dayStarts: [AT, "2026-03-02T00:00:00.000Z"],
    month: new Date().toISOString().slice(0, 7),
    email: "a@example.com",
    password: "correct horse battery",
    newPassword: "correct horse battery 2",
    keys: [`${contractAddress}/a`],
    transfers: [{ toAddress: wallet(1), points: "1" }],
    metadata: { campaign: "summer" },
    submittedBy: "token:a",
    query: "status=PENDING",
    from: "2026-01-01",
    allocationId: "3f1d7a52-6c0e-4b8f-9a57-1e2d3c4b5a69",
    total: "1000",
    rate: "1",
    minimum: "1",
    decimals: 18,
    excluded: [wallet(1)],
    ...Object.fromEntries(
      ["created", "due", "finalized"].flatMap((name) => [
        [`${name}After`, AT],
        [`${name}Before`, AT],
      ]),
    ),
    after: AT,
    before: AT,
  };
});
afterAll(() => closeDatabases());

/** The inputs that depend on the service's limits, so that a procedure has only a function. */
const OF_LIMITS: Record<string, z.ZodType> = {
  "batches.submit": consoleSubmitInput(LIMITS),
  "batches.tryOut": consoleSubmitInput(LIMITS),
  "batches.reverse": consoleReverseInput(LIMITS),
};
/** Fields of one procedure. */
const OF_PATH: Record<string, object> = {
  "audit.list": { cursor: "1" },
  "batches.list": { cursor: POSITION },
  "bulk.items": { cursor: 0 },
  "contracts.search": { cursor: wallet(5) },
  "contracts.issuances": { cursor: "1" },
  "contracts.register": { address: wallet(5) },
  "contracts.setDefaultWait": { seconds: 86_400 },
  "recipients.received": { cursor: POSITION },
  "statements.all": { cursor: wallet(5) },
  "webhooks.deliveries": { cursor: `${AT}_0d5e0f56-7c3c-4b0e-9a51-0e1f2a3b4c5d` },
};

/** Each procedure of the console with an input, and a good one with all of its fields. */
function* samples(): Generator<[path: string, sample: unknown]> {
  const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { inputs?: unknown[] } }>;
  for (const [name, { _def }] of Object.entries(procedures)) {
    const path = name.replace("console.", "");
    const schema = OF_LIMITS[path] ?? (_def.inputs?.[0] as z.ZodType | undefined);
    if (!schema) continue;
    const known = { ...named, ...OF_PATH[path] };
    yield [
      path,
      sampleOf(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema, known),
    ];
  }
}

type Procedures = Record<string, Record<string, (input: unknown) => Promise<unknown>>>;
const call = async (path: string, input: unknown) => {
  const [group, name] = path.split(".") as [string, string];
  // No worker takes it, and while one is running another request has to wait.
  if (path === "snapshots.take") await db.sql`delete from snapshots where status = 'RUNNING'`;
  const procedures = callerOf(db, "admin") as unknown as Procedures;
  return procedures[group]![name]!(input).then(() => null, toDomainError);
};

test("every procedure with an input accepts a good one that was made from its schema", async () => {
  const wrong: string[] = [];
  for (const [path, sample] of samples()) {
    const error = await call(path, sample);
    if (error?.options.errors || error?.code === "internal_error")
      wrong.push(`${path} ${JSON.stringify(sample)}: ${JSON.stringify(error.options.errors)}`);
  }
  expect(wrong).toEqual([]);
});

/** A password takes up to a second of one core, so of these only a few inputs are tried. */
const SLOW = ["staff.changeOwnPassword", "staff.acceptInvitation"];
const SLOW_INPUTS = 12;
/** What every refusal is: sentences of ours. */
const SENTENCES = /^[A-Z0-9/?].*\.$/s;

test("no bad value in any input of the console is an internal error, and each refusal says what is wrong", async () => {
  const wrong = new Set<string>();
  let tried = 0;
  for (const [path, sample] of samples()) {
    const inputs = [...brokenInputs(sample)];
    for (const input of SLOW.includes(path) ? inputs.slice(0, SLOW_INPUTS) : inputs) {
      tried++;
      const error = await call(path, input);
      if (error && (PROBLEMS[error.code].status >= 500 || !SENTENCES.test(error.message)))
        wrong.add(`${path} ${JSON.stringify(input)}: ${error.code} ${error.message}`);
    }
  }
  expect(tried).toBeGreaterThan(3000);
  expect([...wrong]).toEqual([]);
}, 240_000);
