import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { describeError, log, logRarely } from "./log";

const lines: unknown[][] = [];
const original = { ...console };
beforeEach(() => {
  lines.length = 0;
  for (const level of ["error", "warn", "info", "debug"] as const)
    vi.spyOn(log(), level).mockImplementation((...given: unknown[]) => void lines.push([level, ...given]));
});
afterEach(() => {
  Object.assign(console, original);
  vi.restoreAllMocks();
});

test("a repeated message is logged once a minute, with how often it was left out", () => {
  const start = performance.now();
  const clock = vi.spyOn(performance, "now").mockReturnValue(start);
  for (let i = 0; i < 5; i++) logRarely("warn", "the same", new Error("again"));
  logRarely("warn", "the same", new Error("another"));
  expect(lines).toHaveLength(2);
  clock.mockReturnValue(start + 60_000);
  logRarely("warn", "the same", new Error("again"));
  expect(lines.at(-1)).toEqual(["warn", { error: new Error("again"), repeats: 4 }, "the same"]);
});

const SECRET = "what-a-caller-sent";

test("messages of the database and of Drizzle stay out of the log, but their codes are logged", () => {
  const postgres = Object.assign(new Error(`invalid input syntax: "${SECRET}"`), {
    name: "PostgresError",
    code: "22P02",
    constraint_name: "accounts_available",
  });
  const drizzle = new Error(`Failed query: select 1 params: ${SECRET}`, { cause: postgres });
  const logged = JSON.stringify(describeError(new Error("outer", { cause: drizzle })));
  expect(logged).not.toContain(SECRET);
  expect(logged).toContain("22P02");
  expect(logged).toContain("accounts_available");
  expect(logged).toContain("log.test.ts");
});
