import path from "node:path";
import postgres from "postgres";
import { afterAll, expect } from "vitest";
import { shardsArePretended } from "./make-database";
import { hasShardCondition, whyNotPinned, whyRefused } from "./rules";

const ROOT = path.resolve(".");
const FRAMES = 16;
const OURS = "testing/citus/record-statements.ts";
/** They are called between every statement and the driver. */
const BETWEEN = ["db/client.ts", "db/on-errand.ts"];
const PROJECT_FILE = /(?:file:\/\/)?(\/[^\s():]+\.ts)/;

/** Pinned to one shard at a time, by a condition that one Postgres is not sent. */
const BY_SHARD = [
  "server/finalizer/claim-due-batches.ts",
  "server/finalizer/delete-expired.ts",
  "server/ledger/settle.ts",
  "server/webhooks/claim-deliveries.ts",
  "server/batches/review/review-new-batches.ts",
];
/** Every shard changes its part, in one transaction: the self-check, and a made-up month of all contracts. */
const CHANGE_ALL = [
  ...["check-ledger", "run-check", "checkpoint", "ledger-rules", "movements", "scope"].map(
    (name) => `server/ledger/${name}.ts`,
  ),
  "server/demo/",
];

/** Their LATERAL has a LIMIT only where they are sent to one Postgres. */
const LIMITED_ELSEWHERE = ["server/batches/review/find-repeats.ts"];

/** Sent only to one Postgres. */
const NEVER_ON_CITUS = ["server/batches/submit/store-together.ts"];

/** Messages about statements that would not run on Citus. */
const wrong = new Set<string>();
const seen = new Set<string>();

/**
 * Sees every statement that a test's process sends, from any pool, and skips those that the test itself
 * wrote. The query builder's statements have no call site, because it sends them later; their quotes identify
 * them.
 */
function record(given: string, origin: string): void {
  const file = origin.split("\n").map(fileOf).find(Boolean) ?? builderOf(given);
  if (!file || /\.test\.ts$|^testing\//.test(file)) return;
  if (seen.has(`${file} ${given}`)) return;
  seen.add(`${file} ${given}`);
  const text = given.replaceAll(/\s+/g, " ").trim();
  const why = whyWrong(file, text);
  if (why) wrong.add(`${file}: ${why}\n${text}`);
}

/** A statement that runs shard by shard has its condition everywhere or, on one Postgres, nowhere. */
function whyWrong(file: string, text: string): string | null {
  if (NEVER_ON_CITUS.includes(file)) return shardsArePretended() ? "is not made for Citus" : null;
  const mayLackCondition =
    CHANGE_ALL.some((place) => file.startsWith(place)) ||
    (BY_SHARD.includes(file) && !shardsArePretended() && !hasShardCondition(text)) ||
    (LIMITED_ELSEWHERE.includes(file) && !shardsArePretended() && text.includes(" lateral "));
  return whyRefused(text) ?? (mayLackCondition ? null : whyNotPinned(text));
}

function builderOf(text: string): string | undefined {
  return /^\s*(?:select|insert|update|delete|with)\s[^']*"\w+"/.test(text) ? "query builder" : undefined;
}

function fileOf(frame: string): string | undefined {
  const file = PROJECT_FILE.exec(frame)?.[1];
  if (!file?.startsWith(`${ROOT}/`)) return undefined;
  const own = file.slice(ROOT.length + 1);
  return own.startsWith("node_modules/") || BETWEEN.includes(own) || own === OURS ? undefined : own;
}

interface Sent {
  strings: object | string;
  tagged: boolean;
}

const origins = new WeakMap<object, string>();

/** The call site of a template. Cached, because it costs as much as a statement. */
function originOf({ strings, tagged }: Sent): string {
  if (!tagged) return stackNow();
  const key = strings as object;
  if (!origins.has(key)) origins.set(key, stackNow());
  return origins.get(key)!;
}

function stackNow(): string {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = FRAMES;
  const { stack = "" } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  return stack;
}

/** The driver does not export its statement class, so it is taken from a statement. */
function listen(): void {
  const prototype = Object.getPrototypeOf(postgres({ max: 1 })`select 1`);
  const madeAt = new WeakMap<object, string>();
  intercept(prototype, "handler", (query) => madeAt.set(query, originOf(query)));
  intercept(prototype, "string", (query, text) => record(text as string, madeAt.get(query) ?? ""));
}

function intercept(prototype: object, name: string, heard: (query: Sent, value: unknown) => void): void {
  Object.defineProperty(prototype, name, {
    configurable: true,
    set(this: Sent, value: unknown) {
      Object.defineProperty(this, name, { value, writable: true, enumerable: true });
      heard(this, value);
    },
  });
}

listen();
afterAll(() => {
  expect([...wrong]).toEqual([]);
});
