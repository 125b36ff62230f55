import { expect, test } from "vitest";
import { z } from "zod";
import { failureLine } from "@/server/ops/command";
import { isDatabaseUnavailable, postgresError } from "./database-errors";
import { describeError } from "./log";
import { toDomainError, toFieldErrors, toRepeatableError } from "./to-domain-error";

/** A driver error inside Drizzle's wrapper. */
function thrown(fields: Record<string, string>, message: string): Error {
  const cause = Object.assign(new Error(message), { name: "PostgresError", ...fields });
  return new Error("Failed query: select 1 params: what-a-caller-sent", { cause });
}

const WHERE = "while executing command on 127.0.0.1:7502";
const REFUSED = "failed with the following error: Connection refused";

// Errors of Citus 13.2.2 while a worker was stopped, hung or refused a change.
test.each([
  ["08006", "", `connection to the remote node app@127.0.0.1:7502 ${REFUSED}`],
  ["08006", "", "could not establish any connections to the node 127.0.0.1:7502 after 3000 ms"],
  ["08006", "", "connection establishment for node 127.0.0.1:7502 failed"],
  ["XX000", WHERE, "server closed the connection unexpectedly\n\tThis probably means …\ninvalid socket"],
  ["XX000", "", "failure on connection marked as essential: 127.0.0.1:7502"],
  ["XX000", "", "failed to prepare transaction 'citus_0_4711_12_3' on host 127.0.0.1:7502"],
  ["XX000", "", "cannot connect to 127.0.0.1:7502 to fetch intermediate results"],
  ["57P01", WHERE, "terminating connection due to administrator command"],
])("an unavailable worker is one, without the message: %s %s %j", (code, where, message) => {
  const error = thrown({ code, where, severity: "ERROR" }, message);
  expect(isDatabaseUnavailable(error)).toBe(true);
  expect(postgresError(error)).toEqual({ code, constraint: undefined, worker: "127.0.0.1:7502" });
  const isReached = !/refused|establish/.test(message);
  const problem = toDomainError(error);
  expect(problem.code).toBe(isReached ? "outcome_unknown" : "unavailable");
  expect(problem.message).not.toMatch(/127\.0\.0\.1|node|server|transaction|statement/);
  expect(JSON.stringify(describeError(error))).toContain("127.0.0.1:7502");
});

const postgres = (code: string, severity = "ERROR") => thrown({ code, severity }, "…");
const connection = (code: string, syscall = "read") => Object.assign(new Error("…"), { code, syscall });

test.each([
  ["a lock timeout", postgres("55P03")],
  ["a statement timeout", postgres("57014")],
  ["a deadlock", postgres("40P01")],
  ["a serialization failure", postgres("40001")],
  ["a full disk", postgres("53100")],
  ["a read-only server", postgres("25006")],
  ["a check on a standby", thrown({ code: "0A000", routine: "call_bool_check_hook" }, "…")],
  ["too many connections", postgres("53300", "FATAL")],
  ["a server that is starting", postgres("57P03", "FATAL")],
  ["a transaction left idle", postgres("25P03", "FATAL")],
  ["a refused connection", connection("ECONNREFUSED", "connect")],
  ["no route", connection("EHOSTUNREACH", "connect")],
  ["no connection in time", connection("CONNECT_TIMEOUT")],
  ["a closed pool", connection("CONNECTION_ENDED")],
])("%s changed nothing: 503 with Retry-After", (_, error) => {
  const problem = toDomainError(error);
  expect([problem.code, problem.options.headers]).toEqual(["unavailable", { "Retry-After": "2" }]);
  expect(problem.message).toContain("was not applied");
});

test.each([
  ["a session that was ended", postgres("57P01", "FATAL")],
  ["a crashed server", postgres("57P02", "FATAL")],
  ["a pooler that lost its server", postgres("08P01", "FATAL")],
  ["a failed disk in a commit", postgres("58030", "PANIC")],
  ["a state of no severity", postgres("57014", "")],
  ["an unknown completion", postgres("40003")],
  ["a reset connection", connection("ECONNRESET")],
  ["a closed connection", connection("CONNECTION_CLOSED")],
  ["a destroyed connection", connection("CONNECTION_DESTROYED")],
  ["a silent server", connection("ETIMEDOUT")],
  ["a route lost in between", connection("EHOSTUNREACH")],
])("%s may have changed something: no Retry-After, unless a repeat is safe", (_, error) => {
  const problem = toDomainError(error);
  expect([problem.code, problem.options.headers]).toEqual(["outcome_unknown", undefined]);
  const read = toRepeatableError(error);
  expect([read.code, read.options.headers]).toEqual(["unavailable", { "Retry-After": "2" }]);
  expect(read.message).toContain("safe to repeat");
});

test("an internal error has no Retry-After", () => {
  for (const toError of [toDomainError, toRepeatableError]) {
    const { code, options } = toError(new Error("…"));
    expect([code, options.headers]).toEqual(["internal_error", undefined]);
  }
});

test("an unavailable worker is not assumed for any other internal error", () => {
  const error = thrown({ code: "XX000", where: WHERE }, "cache lookup failed for relation 17");
  expect([isDatabaseUnavailable(error), toDomainError(error).code]).toEqual([false, "internal_error"]);
});

test.each([
  [
    "23514",
    'relation "accounts_102044" violates check constraint "accounts_available"',
    "accounts_available",
  ],
  [
    "23514",
    "Relation »accounts_102044« verletzt Check-Constraint »accounts_available«",
    "accounts_available",
  ],
  ["23514", "la relation « accounts_102044 » viole « accounts_available »", "accounts_available"],
  ["23505", 'duplicate key value violates unique constraint "contracts_pkey_102036"', "contracts_pkey"],
  ["23502", 'null value in column "label" of relation "contracts_102036"', undefined],
])(
  "the violated constraint is read in any language, without its shard: %s %s",
  (code, message, constraint) => {
    expect(postgresError(thrown({ code, where: WHERE }, message))).toMatchObject({ code, constraint });
  },
);

test("a limit that is exceeded is described in words", () => {
  for (const [schema, value, detail] of [
    [z.array(z.string()).min(1), [], "must have at least 1 entry"],
    [z.array(z.string()).max(2), ["a", "b", "c"], "must have at most 2 entries"],
    [z.string().min(1), "", "must be at least 1 character"],
    [z.number().min(3600), 1, "must be at least 3600"],
  ] as const)
    expect(toFieldErrors(schema.safeParse(value).error!.issues)).toMatchObject([
      { code: "out_of_range", detail },
    ]);
});

test("a command says in one line what Postgres said, never the statement or what it was given", () => {
  const error = thrown({ code: "22P05", severity: "ERROR" }, "character has no equivalent in LATIN1\nmore");
  expect(failureLine(error)).toBe("character has no equivalent in LATIN1");
});
