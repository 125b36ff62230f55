import { expect, test } from "vitest";
import { z } from "zod";
import { failureLine } from "@/server/ops/command";
import { isDatabaseUnavailable, postgresError } from "./database-errors";
import { describeError } from "./log";
import { toDomainError, toFieldErrors } from "./to-domain-error";

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
])("an unavailable worker is 503 with Retry-After, without the message: %s %s %j", (code, where, message) => {
  const error = thrown({ code, where }, message);
  expect(isDatabaseUnavailable(error)).toBe(true);
  expect(postgresError(error)).toEqual({ code, constraint: undefined, worker: "127.0.0.1:7502" });
  const problem = toDomainError(error);
  expect([problem.code, problem.options.headers]).toEqual(["unavailable", { "Retry-After": "2" }]);
  expect(problem.message).not.toMatch(/127\.0\.0\.1|node|server|transaction|statement/);
  expect(JSON.stringify(describeError(error))).toContain("127.0.0.1:7502");
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
