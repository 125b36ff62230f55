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
  vi.stubEnv("BODY_BYTES_MAX", String(4 * MIB));
});
afterAll(() => vi.unstubAllEnvs());

const batch = (more: string) =>
  `{"pointType":"PHASE2_POINTS","transfers":[{"toAddress":"${RECIPIENT}","points":"1"}],${more}}`;
const filled = (unit: string) => unit.repeat(Math.floor((3.5 * MIB) / unit.length));
const nested = (opening: string, closing: string) =>
  opening.repeat((1.7 * MIB) / opening.length) + closing.repeat((1.7 * MIB) / opening.length);

test.each([
  ["one long string with colons", () => batch(`"note":"${filled("x:")}"`)],
  ["one long string of escapes", () => batch(`"note":"${filled('\\":\\\\')}"`)],
  ["one key over and over", () => batch(`${filled('"a":1,')}"a":1`)],
  ["a hundred thousand keys", () => batch(Array.from({ length: 100_000 }, (_, i) => `"k${i}":1`).join())],
  ["a million rows", () => `{"pointType":"PHASE2_POINTS","transfers":[${filled("{},")}{}]}`],
  ["deep nesting", () => batch(`"a":${nested("[", "]")}`)],
  ["deeply nested objects", () => batch(`"a":${nested('{"a":', "}").replace("}", "1}")}`)],
  ["nested transfers", () => `{"transfers":${nested("[", "]")}}`],
  ["a string that does not end", () => batch(`"note":"${filled("x:")}`)],
])(
  "a body of 3.5 MiB with %s is refused as invalid, and is no internal error",
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
