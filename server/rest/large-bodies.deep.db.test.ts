import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type BadInputWorld, makeBadInputWorld, RECIPIENT } from "@/testing/bad-input";
import { toRestRequest } from "@/testing/rest-request";
import { useLedger } from "@/testing/use-ledger";
import { handleRest } from "./handler";

const MIB = 1_048_576;

const { db } = useLedger({ serves: true });
let world: BadInputWorld;
beforeAll(async () => {
  world = await makeBadInputWorld(db);
  vi.stubEnv("BODY_BYTES_MAX", String(16 * MIB));
});
afterAll(() => vi.unstubAllEnvs());

const batch = (more: string) =>
  `{"pointType":"PHASE2_POINTS","transfers":[{"toAddress":"${RECIPIENT}","points":"1"}],${more}}`;
const filled = (unit: string) => unit.repeat(Math.floor((15 * MIB) / unit.length));

test.each([
  ["one long string", () => batch(`"note":"${filled("x")}"`)],
  ["one long string with colons", () => batch(`"note":"${filled("x:")}"`)],
  ["one long string of escapes", () => batch(`"note":"${filled('\\":\\\\')}"`)],
  ["a long key, twice", () => batch(`"${"x".repeat(7 * MIB)}":1,"${"x".repeat(7 * MIB)}":1`)],
  ["one key over and over", () => batch(`${filled('"a":1,')}"a":1`)],
  ["a hundred thousand keys", () => batch(Array.from({ length: 100_000 }, (_, i) => `"k${i}":1`).join())],
  ["five million rows", () => `{"pointType":"PHASE2_POINTS","transfers":[${filled("{},")}{}]}`],
  ["deep nesting", () => batch(`"a":${"[".repeat(7 * MIB)}${"]".repeat(7 * MIB)}`)],
  ["deeply nested objects", () => batch(`"a":${'{"a":'.repeat(2 * MIB)}1${"}".repeat(2 * MIB)}`)],
  ["nested transfers", () => `{"transfers":${"[".repeat(7 * MIB)}${"]".repeat(7 * MIB)}}`],
  ["a string that does not end", () => batch(`"note":"${filled("x:")}`)],
])(
  "a body of up to 15 MB with %s is refused as invalid, and is no internal error",
  async (_, make) => {
    const reply = await handleRest(
      toRestRequest({
        method: "POST",
        path: `/v1/contracts/${world.contract}/batches`,
        headers: [
          ["Authorization", `Bearer ${world.tokens.own}`],
          ["Content-Type", "application/json"],
        ],
        body: [Buffer.from(make())],
      }),
    );
    expect([reply.status, await reply.text()]).toEqual([400, expect.any(String)]);
  },
  120_000,
);
