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

test("a row whose tool is missing fails and says so; where that is allowed it is left out, and says so", async () => {
  vi.stubEnv("PATH", "/nowhere");
  const lacking = row({ tool: { program: "faketime", package: "faketime" } });
  const failed = await runRow(lacking, options);
  expect(failed).toMatchObject({ outcome: "failed", reason: "there is no faketime" });
  const skipped = await runRow(lacking, { ...options, allowMissing: true });
  expect(skipped).toMatchObject({ outcome: "skipped", reason: "there is no faketime" });
});

test("a violation fails the row, and so does an error; what it made is ended all the same", async () => {
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

test("a seed repeats what is drawn, also by branches", async () => {
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
