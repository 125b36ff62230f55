import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Lists of the whole server's sessions, locks and prepared transactions, those of other databases too. */
const WHOLE_SERVER = /\b(?:pg_stat_activity|pg_locks|pg_prepared_xacts)\b/;
const ALLOWED = [
  // The embedded server belongs to one installation.
  "db/embedded/roles.ts",
  // Defines a view, whose readers name the database.
  "testing/citus/make-database.ts",
];

/** The SQL templates of a file that could see, or end, what another database's users do. */
const withoutDatabase = (text: string): string[] =>
  [...text.matchAll(/`[^`]*`/g)]
    .map(([template]) => template)
    .filter((template) => /\bfrom\b/.test(template) && WHOLE_SERVER.test(template))
    .filter((template) => !/current_database\(\)|\bpid = /.test(template));

test("no statement sees or ends sessions of other databases, where other installations or tests run", () => {
  const files = ["db", "server", "testing", "app"]
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
    )
    .filter((file) => /\.tsx?$/.test(file) && !/node_modules/.test(file) && !ALLOWED.includes(file));
  expect(files.length).toBeGreaterThan(500);
  const found = files.map((file) => [file, withoutDatabase(readFileSync(file, "utf8"))] as const);
  expect(found.filter(([, statements]) => statements.length > 0)).toEqual([]);
});

test("such a statement is found", () => {
  expect(withoutDatabase("sql`select 1 from pg_locks where granted`")).toHaveLength(1);
  expect(withoutDatabase("sql`select 1 from pg_locks where pid = 7`")).toEqual([]);
});
