import path from "node:path";
import postgres from "postgres";
import { afterAll, expect } from "vitest";
import { shardsArePretended } from "./make-database";
import { hasShardCondition, whyNotPinned, whyRefused } from "./rules";

const ROOT = path.resolve(".");
const FRAMES = 16;
const TESTS = /\.test\.ts$|^testing\//;
/** They are called between every statement and the driver. */
const BETWEEN = ["testing/citus/record-statements.ts", "db/client.ts", "db/on-errand.ts"];

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
function record(given: string, origin: string | undefined): void {
  const file = origin ?? builderOf(given);
  if (!file || TESTS.test(file)) return;
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

interface Sent {
  strings: readonly string[];
  tagged: boolean;
}

const origins = new Map<readonly string[] | string, string | undefined>();

/** The file of a template or text. Cached, because finding it costs as much as a statement. */
function originOf({ strings, tagged }: Sent): string | undefined {
  const key = tagged ? strings : strings[0]!;
  if (origins.has(key)) return origins.get(key);
  const file = callingFile();
  // The service may send the same text as a test.
  if (tagged || !file || !TESTS.test(file)) origins.set(key, file);
  return file;
}

/** The first file of the project on the stack. As text, Vitest would look up each frame in a source map. */
function callingFile(): string | undefined {
  const { stackTraceLimit, prepareStackTrace } = Error;
  Error.stackTraceLimit = FRAMES;
  Error.prepareStackTrace = (_, sites) => sites.map((site) => site.getFileName() ?? "");
  const files = new Error().stack as unknown as string[];
  Object.assign(Error, { stackTraceLimit, prepareStackTrace });
  return files.map(ownPath).find((file) => file && !BETWEEN.includes(file));
}

function ownPath(file: string): string {
  const path = file.replace("file://", "");
  return path.startsWith(`${ROOT}/`) && !path.includes("/node_modules/") ? path.slice(ROOT.length + 1) : "";
}

/** The driver does not export its statement class, so it is taken from a statement. */
function listen(): void {
  const prototype = Object.getPrototypeOf(postgres({ max: 1 })`select 1`);
  const madeAt = new WeakMap<object, string | undefined>();
  intercept(prototype, "handler", (query) => madeAt.set(query, originOf(query)));
  intercept(prototype, "string", (query, text) => record(text as string, madeAt.get(query)));
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
