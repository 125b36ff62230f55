import { afterEach, expect, test, vi } from "vitest";
import type { FaultRow } from "./fault-row";
import { Random } from "./random";
import { runRow } from "./run-row";

afterEach(() => vi.unstubAllEnvs());

const options = { short: true, seed: 7, allowMissing: false };
const row = (more: Partial<FaultRow>): FaultRow => ({
  name: "row",
  fault: "a fault",
  promise: "a promise",
  secondsMax: { full: 10, short: 10 },
  run: async () => undefined,
  ...more,
});

test("a row whose tool is missing fails, or is skipped if that is allowed; both give the reason", async () => {
  vi.stubEnv("PATH", "/nowhere");
  const lacking = row({ tool: { program: "faketime", package: "faketime" } });
  const failed = await runRow(lacking, options);
  expect(failed).toMatchObject({ outcome: "failed", reason: "faketime is not installed" });
  const skipped = await runRow(lacking, { ...options, allowMissing: true });
  expect(skipped).toMatchObject({ outcome: "skipped", reason: "faketime is not installed" });
});

test("a violation or an error fails the row, and what it created is still cleaned up", async () => {
  const ended: string[] = [];
  const violating = row({
    async run({ tally, cleanup }) {
      cleanup.add(() => ended.push("violating"));
      tally.expect(false, "a promise was broken");
    },
  });
  const throwing = row({
    async run({ cleanup }) {
      cleanup.add(() => ended.push("throwing"));
      throw new Error("it went wrong");
    },
  });
  expect(await runRow(violating, options)).toMatchObject({ outcome: "failed", reason: null });
  expect((await runRow(throwing, options)).reason).toContain("it went wrong");
  expect(await runRow(row({}), options)).toMatchObject({ outcome: "kept", reason: null });
  expect(ended).toEqual(["violating", "throwing"]);
});

test("the same seed gives the same numbers, in branches too", async () => {
  const drawn: number[][] = [];
  const drawing = row({
    async run({ random }) {
      const branch = random.branch();
      drawn.push([random.next(), branch.next(), random.below(1000), branch.between(5, 6)]);
    },
  });
  await runRow(drawing, options);
  await runRow(drawing, options);
  await runRow(drawing, { ...options, seed: 8 });
  expect(drawn[0]).toEqual(drawn[1]);
  expect(drawn[2]).not.toEqual(drawn[0]);
  expect(
    new Set(
      Array.from(
        { length: 1000 },
        (
          (r) => () =>
            r.below(10)
        )(new Random(1)),
      ),
    ).size,
  ).toBe(10);
});
