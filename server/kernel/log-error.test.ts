import { expect, test } from "vitest";
import { describeError } from "./log";

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
  expect(logged).toContain("log-error.test.ts");
});

test("a statement lost with its connection is not quoted either", () => {
  const lost = Object.assign(new Error("write CONNECTION_CLOSED"), { code: "CONNECTION_CLOSED" });
  const logged = JSON.stringify(
    describeError(new Error(`Failed query: select 1 params: ${SECRET}`, { cause: lost })),
  );
  expect(logged).not.toContain(SECRET);
  expect(logged).toContain("CONNECTION_CLOSED");
});

test("our own errors keep their message, and other values are logged by type only", () => {
  expect(describeError(new TypeError("x is not a function"))).toMatchObject({
    type: "TypeError",
    message: "x is not a function",
  });
  expect(describeError(SECRET)).toEqual({ type: "string" });
});
