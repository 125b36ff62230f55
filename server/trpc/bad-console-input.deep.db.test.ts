import type { inferRouterInputs } from "@trpc/server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { batchOf, newContract, submit, wallet } from "@/testing/factories";
import { serveFrom } from "@/testing/rest-request";
import { callerOf } from "@/testing/staff-caller";
import { type TestDatabase, testDatabase } from "@/testing/test-database";
import { encodeCursor } from "../kernel/cursor";
import { closeDatabases } from "../kernel/database";
import { toDomainError } from "../kernel/to-domain-error";
import { PROBLEMS } from "../kernel/values/problems";
import { type AppRouter, appRouter } from "./root";

type Inputs = inferRouterInputs<AppRouter>["console"];
/** A good input of each procedure that has one, with all of its fields. */
type Samples = { [Group in keyof Inputs]?: { [Name in keyof Inputs[Group]]?: Inputs[Group][Name] } };

let db: TestDatabase;
let samples: Samples;
const UUID = "0d5e0f56-7c3c-4b0e-9a51-0e1f2a3b4c5d";
const AT = "2026-03-01T00:00:00.000Z";

beforeAll(async () => {
  db = await testDatabase();
  serveFrom(db);
  Object.assign(process.env, { PASSWORD_FAILURES_PER_CLIENT: "0", PASSWORD_FAILURES_PER_EMAIL: "0" });
  const contractAddress = await newContract(db);
  for (const batchId of ["a", "b"])
    await submit(db, batchOf(contractAddress, [[1, "1"]], { batchId, secondsToFinalize: 3600 }));
  const { endpoint } = await callerOf(db, "admin").webhooks.create({
    contractAddress,
    url: "https://example.com/hook",
    events: ["batch.finalized"],
  });
  const webhookId = endpoint.id;
  const filters = {
    contractAddress,
    statuses: ["PENDING" as const],
    overdue: true,
    held: true,
    pointType: "PHASE2_POINTS" as const,
    createdAfter: AT,
    createdBefore: AT,
    idPrefix: "a",
    recipient: wallet(1),
    minimumPoints: "1",
    uploadId: UUID,
    dueAfter: AT,
    dueBefore: AT,
    finalizedAfter: AT,
    finalizedBefore: AT,
    submittedBy: "token:a",
  };
  const { statuses, overdue, held, pointType, createdAfter, createdBefore } = filters;
  const recipientFilters = {
    address: wallet(1),
    contractAddress,
    statuses,
    overdue,
    held,
    pointType,
    createdAfter,
    createdBefore,
  };
  const batch = { contractAddress, batchId: "a" };
  const submitted = {
    ...batch,
    pointType: "PHASE2_POINTS" as const,
    secondsToFinalize: 3600,
    transfers: [{ toAddress: wallet(1), points: "1" }],
  };
  samples = {
    alerts: {
      list: { state: "all", kinds: ["tick"], isUnseen: true, limit: 10, cursor: UUID },
      markSeen: { alertIds: [UUID] },
      sendTest: { channel: "webhook" },
    },
    audit: {
      list: { actor: "ops", actions: [], target: "a", after: AT, before: AT, limit: 10, cursor: "1" },
    },
    batches: {
      list: { ...filters, sort: "DESC", limit: 10, cursor: encodeCursor({ atMs: 0, seq: 1n }, "") },
      newer: { ...filters, overdue: false, newerThan: { createdAt: AT }, readAt: AT },
      facets: filters,
      totals: filters,
      refresh: { keys: [`${contractAddress}/a`] },
      get: batch,
      transfers: batch,
      submit: {
        ...submitted,
        upload: { id: UUID, part: 1, partCount: 2, fileName: "a.csv" },
        corrects: "b",
      },
      tryOut: submitted,
      reversible: batch,
      reverse: {
        ...batch,
        toAddresses: [wallet(1)],
        secondsToFinalize: 3600,
        reason: "because",
        reversalId: "b",
      },
      cancel: { ...batch, reason: "because" },
      hold: { ...batch, reason: "because" },
      release: { ...batch, reason: "because" },
      approve: { ...batch, reason: "because" },
      reject: { ...batch, reason: "because" },
      review: batch,
      correction: batch,
      addNote: { ...batch, text: "a" },
      deleteNote: { ...batch, noteId: UUID },
      compare: { ...batch, withId: "b" },
    },
    bulk: {
      preview: { action: "cancel", chosen: { keys: [batch] } },
      start: { jobId: UUID, reason: "because" },
      stop: { jobId: UUID },
      work: { jobId: UUID },
      releaseUpload: { contractAddress, uploadId: UUID },
      get: { jobId: UUID },
      items: { jobId: UUID, results: ["FAILED"], limit: 10, cursor: 0 },
    },
    contracts: {
      search: { search: "a", sort: "label", limit: 10, cursor: contractAddress },
      get: { contractAddress },
      pointsPerDay: { contractAddress, dayStarts: [AT, "2026-03-02T00:00:00.000Z"] },
      issuances: { contractAddress, limit: 10, cursor: "1" },
      setup: { contractAddress },
      tokens: { contractAddress },
      rename: { contractAddress, label: "a" },
      register: { address: wallet(5), label: "a", operatorAddress: wallet(6), issuance: "PREFUNDED" },
      setOperator: { contractAddress, operatorAddress: wallet(6) },
      setIssuance: { contractAddress, issuance: "PREFUNDED" },
      grant: { contractAddress, pointType: "PHASE2_POINTS", points: "1" },
      createToken: { contractAddress, name: "a", scopes: ["batches:read"], expiresInDays: 1 },
      revokeToken: { contractAddress, tokenId: UUID },
    },
    forecast: { get: { contractAddress } },
    approvals: {
      get: { contractAddress },
      propose: {
        kind: "RULE",
        contractAddress,
        pointType: "PHASE2_GOLD",
        threshold: "1",
        onUnusual: true,
        dayThreshold: "20",
        reason: "because",
      },
      approve: { contractAddress, changeId: UUID, reason: "because" },
      reject: { contractAddress, changeId: UUID, reason: "because" },
      withdraw: { contractAddress, changeId: UUID, reason: "because" },
    },
    operations: { finalizing: { range: "1h" }, runs: { failedOnly: true }, run: { runId: UUID } },
    recipients: {
      get: { address: wallet(1) },
      received: {
        ...recipientFilters,
        limit: 10,
        cursor: encodeCursor({ atMs: 0, seq: 1n }, ""),
      },
      sums: recipientFilters,
      setLabel: { address: wallet(1), label: "a" },
    },
    search: { find: { text: "a" } },
    staff: {
      invite: { email: "a@example.com", role: "viewer" },
      newLink: { personId: UUID },
      changeRole: { personId: UUID, role: "viewer" },
      confirm: { personId: UUID },
      disable: { personId: UUID },
      enable: { personId: UUID },
      requestReset: { email: "a@example.com" },
      endSession: { sessionId: UUID },
      changeOwnPassword: { oldPassword: "correct horse battery", newPassword: "correct horse battery 2" },
      openInvitation: { token: "a" },
      acceptInvitation: { token: "a", password: "correct horse battery" },
    },
    statements: {
      get: { contractAddress, month: new Date().toISOString().slice(0, 7), pointType: "PHASE2_GOLD" },
    },
    views: {
      save: { name: "a", query: "status=PENDING" },
      rename: { viewId: UUID, name: "b" },
      delete: { viewId: UUID },
    },
    webhooks: {
      list: { contractAddress },
      deliveries: { contractAddress, webhookId, cursor: `${AT}_${UUID}` },
      create: { contractAddress, url: "https://example.com/hook", events: ["batch.finalized"] },
      rotateSecret: { contractAddress, webhookId, overlapSeconds: 0 },
      disable: { contractAddress, webhookId },
      enable: { contractAddress, webhookId },
      delete: { contractAddress, webhookId: UUID },
      test: { contractAddress, webhookId },
      replay: { contractAddress, deliveryId: UUID },
    },
  };
});
afterAll(async () => {
  await closeDatabases();
  await db?.drop();
});

const TEXTS = [
  "",
  " ",
  "\0",
  "a\0b",
  "\ud800",
  "a\udfffb",
  "\u202e\u0007\uffff",
  "x".repeat(100_000),
  "9".repeat(400),
  "-1",
  "1e400",
  "NaN",
  "Infinity",
  "0000-01-01",
  "0000-01-01T00:00:00Z",
  "0000-01-01T00:00:00+23:59",
  "9999-12-31T23:59:59.999999-23:59",
  "+275760-09-13T00:00:00Z",
  "2026-02-30T00:00:00Z",
  "2026-01-01T24:00:00Z",
  "294277-01-01T00:00:00Z",
  "' or 1=1 --",
  "%",
  "\\",
  "__proto__",
  "../../etc/passwd",
  "{}",
];
const OTHERS: unknown[] = [
  null,
  undefined,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  1e308,
  NaN,
  Infinity,
  [],
  [null],
  {},
  { a: 1 },
  [[[]]],
];
/** Values of the same form as a good one. */
const alike = (text: string) => [
  text.replaceAll(/\d/g, "9"),
  text.replaceAll(/\d/g, "0"),
  text.replaceAll(/[0-9a-f]/g, "-"),
  text.replaceAll(/[0-9a-z]/gi, "f"),
  text.replaceAll(/(?<=_)[0-9a-f]/g, "-"),
  text.replace(/^\d{4}/, "0000"),
  text.replace(/-\d\d-\d\d/, "-02-31"),
  text.replace(/T\d\d/, "T25"),
  text + text,
  text.toUpperCase(),
  text.slice(1),
];
/** Cursors whose check sum is right, with positions that no page has. */
const cursors = () =>
  [0, -62_167_219_200_000, 253_402_300_799_999, 8.64e15].map((atMs) =>
    encodeCursor({ atMs, seq: 2n ** 63n }, ""),
  );

const badValuesOf = (good: unknown): unknown[] => [
  ...TEXTS,
  ...OTHERS,
  ...cursors(),
  ...(typeof good === "string" ? alike(good) : []),
  ...(Array.isArray(good) ? [Array(3000).fill(good[0]), ...TEXTS.map((text) => [text])] : []),
  ...(typeof good === "number" ? [good + 2 ** 31, -good, 2 ** 63] : []),
];

/** Each input with one of its values replaced, at any depth. */
function* brokenInputs(good: unknown): Generator<unknown> {
  yield* badValuesOf(good);
  if (typeof good !== "object" || good === null) return;
  for (const [name, value] of Object.entries(good)) {
    for (const broken of brokenInputs(value)) {
      const copy = Array.isArray(good) ? [...good] : { ...good };
      (copy as Record<string, unknown>)[name] = broken;
      yield copy;
    }
  }
}

/** A password takes up to a second of one core, so of these only a few inputs are tried. */
const SLOW = ["staff.changeOwnPassword", "staff.acceptInvitation"];
const SLOW_INPUTS = 12;

test("every procedure with an input has a sample, which is accepted", async () => {
  const procedures = Object.entries(
    appRouter._def.procedures as unknown as Record<string, { _def: { inputs?: unknown[] } }>,
  );
  const withInput = procedures
    .filter(([, { _def }]) => (_def.inputs?.length ?? 0) > 0)
    .map(([path]) => path.replace("console.", ""));
  const sampled = Object.entries(samples).flatMap(([group, of]) =>
    Object.keys(of!).map((name) => `${group}.${name}`),
  );
  expect(sampled.toSorted()).toEqual(withInput.toSorted());
  for (const [group, name, sample] of each()) {
    const error = await call(group, name, sample);
    expect(error?.options.errors, `${group}.${name}`).toBeUndefined();
    expect(error?.code, `${group}.${name}`).not.toBe("internal_error");
  }
});

function* each(): Generator<[group: string, name: string, sample: unknown]> {
  for (const [group, of] of Object.entries(samples))
    for (const [name, sample] of Object.entries(of!)) yield [group, name, sample];
}

type Procedures = Record<string, Record<string, (input: unknown) => Promise<unknown>>>;
const call = async (group: string, name: string, input: unknown) =>
  (callerOf(db, "admin") as unknown as Procedures)[group]![name]!(input).then(() => null, toDomainError);

test("no bad value in any input of the console is an internal error, and each refusal says what is wrong", async () => {
  const wrong = new Set<string>();
  let tried = 0;
  for (const [group, name, sample] of each()) {
    const inputs = [...brokenInputs(sample)];
    const some = SLOW.includes(`${group}.${name}`) ? inputs.slice(0, SLOW_INPUTS) : inputs;
    for (const input of some) {
      tried++;
      const error = await call(group, name, input);
      if (error && (PROBLEMS[error.code].status >= 500 || !/^[A-Z0-9/?].*\.$/s.test(error.message)))
        wrong.add(`${group}.${name} ${JSON.stringify(input)}: ${error.code} ${error.message}`);
    }
  }
  expect(tried).toBeGreaterThan(3000);
  expect([...wrong]).toEqual([]);
}, 240_000);
