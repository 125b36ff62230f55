import path from "node:path";
import postgres from "postgres";
import { afterAll, expect } from "vitest";
import { whyCrossShard } from "./carries-column";
import { hasShardCondition, whyNotPinned, whyRefused } from "./citus-rules";
import { BY_BUILDER, CROSS_SHARD, type CrossShard } from "./cross-shard";
import { shardsArePretended } from "./pretend-shards";

const ROOT = path.resolve(".");
const FRAMES = 16;
const OURS = "testing/distribution/record-statements.ts";
/** It is called between every statement and the driver. */
const BETWEEN = "db/count-work.ts";
const PROJECT_FILE = /(?:file:\/\/)?(\/[^\s():]+\.ts)/;

/** Messages about statements that would not run on Citus, or are not listed. */
const wrong = new Set<string>();
const seen = new Set<string>();

/**
 * Sees every statement that a test's process sends, from any pool, and skips those that the test itself wrote. The query
 * builder's statements have no call site, because it sends them later; their quotes identify them.
 */
function record(given: string, origin: string): void {
  const file = origin.split("\n").map(fileOf).find(Boolean) ?? builderOf(given);
  if (!file || /\.test\.ts$|^testing\//.test(file)) return;
  if (seen.has(`${file} ${given}`)) return;
  seen.add(`${file} ${given}`);
  const text = given.replaceAll(/\s+/g, " ").trim();
  const why = whyWrong(text, entryOf(file, text.toLowerCase()));
  if (why) wrong.add(`${file}: ${why}\n${text}`);
}

/** A statement that runs shard by shard has its condition everywhere or, on one Postgres, nowhere. */
function whyWrong(text: string, entry: CrossShard | undefined): string | null {
  const mayLackCondition =
    entry?.how === "changes all" ||
    (entry?.how === "by shard" && !shardsArePretended() && !hasShardCondition(text));
  return (
    whyRefused(text) ?? (mayLackCondition ? null : whyNotPinned(text)) ?? (entry ? null : whyCrossShard(text))
  );
}

const entryOf = (file: string, text: string) =>
  CROSS_SHARD.find((entry) => file.startsWith(entry.in) && text.includes(entry.has ?? ""));

function builderOf(text: string): string | undefined {
  return /^(?:select|insert|update|delete|with) [^']*"\w+"/.test(text) ? BY_BUILDER : undefined;
}

function fileOf(frame: string): string | undefined {
  const file = PROJECT_FILE.exec(frame)?.[1];
  if (!file?.startsWith(`${ROOT}/`)) return undefined;
  const own = file.slice(ROOT.length + 1);
  return own.startsWith("node_modules/") || own === BETWEEN || own === OURS ? undefined : own;
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

// On Citus itself unrouted statements fail anyway, and the service sends some that are not listed.
if (!process.env.CITUS_URL) listen();
afterAll(() => {
  expect([...wrong]).toEqual([]);
});
