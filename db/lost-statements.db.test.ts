import { readdirSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { toDomainError } from "@/server/kernel/to-domain-error";
import { useDatabase } from "@/testing/test-database";
import { createDatabase, type Database } from "./client";

const db = useDatabase();
/** A pool of one connection, whose prepared statements the tests take away. */
let one: Database;
let columns = 0;

beforeEach(async () => {
  one = createDatabase({ url: db.url, poolMax: 1, timeoutSeconds: 10, pooler: "none" });
  await db.sql`create table changing (place int)`;
  await db.sql`insert into changing values (1)`;
});
afterEach(async () => {
  await one.close();
  await db.sql`drop table changing`;
});

/** Every way to lose a statement, by the function of Postgres that the error names and the driver looks at. */
const LOSSES = {
  // As a pooler or an administrator resets a session.
  FetchPreparedStatement: () => one.sql.unsafe("deallocate all"),
  // "cached plan must not change result type", as after a migration.
  RevalidateCachedQuery: () => db.sql.unsafe(`alter table changing add column later_${columns++} int`),
};
const ROUTINES = Object.keys(LOSSES) as (keyof typeof LOSSES)[];

/** Parameters as the service sends them, by the type of the parameter. */
const SENT: Record<string, unknown[]> = {
  bigint: ["9007199254740993", 42],
  "bigint[]": ["{1,9007199254740993}", [1, 2]],
  boolean: [true, false],
  "boolean[]": ["{true,NULL}"],
  bytea: [Buffer.from("00ff5c7801", "hex"), Buffer.alloc(0), new Uint8Array([92, 120, 48, 48])],
  "bytea[]": ['{"\\\\x00ff",NULL}'],
  date: ["2026-11-29"],
  "double precision": [0.1],
  enum: ["PHASE2_POINTS"],
  "enum[]": ["{PHASE2_POINTS}"],
  integer: [7],
  "integer[]": ["{1,NULL}", [1, 2]],
  jsonb: ['{"a":[1,"b",true,null]}', '"text"', "7"],
  numeric: ["1.50", "123456789012345678901234567890.123456"],
  "numeric[]": ["{1.50,NULL}"],
  text: ['it\'s \\ "quoted" 𝄞', "", "null", "t"],
  "text[]": ['{a,"b c",NULL}', ["a", '"', "\\", "null", "", null], []],
  "timestamp with time zone": ["2026-11-29T01:02:03.123456Z"],
  "timestamp with time zone[]": ["{2026-11-29T01:02:03.123456Z,NULL}"],
  uuid: ["0190a6a5-7c1a-7e2b-8d3c-4e5f60718293"],
  "uuid[]": ["{0190a6a5-7c1a-7e2b-8d3c-4e5f60718293}"],
};
const AN_ENUM = "point_type";

describe.each(ROUTINES)("a statement that the server lost (%s) is repeated", (routine) => {
  test.each(Object.entries(SENT))("with the %s that was sent", async (kind, values) => {
    const type = kind.replace("enum", AN_ENUM);
    for (const value of [...values, null]) {
      const ask = () =>
        one.sql.unsafe(`select $1::${type}::text as given, c.* from changing c`, [value as string], {
          prepare: true,
        });
      const before = await ask();
      await LOSSES[routine]();
      const after = await ask();
      expect(after[0]).toMatchObject(before[0]!);
      const added = routine === "RevalidateCachedQuery" ? 1 : 0;
      expect(Object.keys(after[0]!)).toHaveLength(Object.keys(before[0]!).length + added);
    }
  });
});

/** The types that statements of the service cast a parameter to, before any other cast. */
function castTypes(): string[] {
  const files = ["server", "db"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`),
  );
  const sources = files.filter((file) => /(?<!\.test)\.ts$/.test(file));
  return sources.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/\}::(\w+(?:\[\])?)/g)].map(([, type]) => type!),
  );
}

test("every type of a column, and every type that a statement gives to a parameter, has a case", async () => {
  const types = await db.sql<{ type: string }[]>`
    with used as (
      select a.atttypid as type from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and a.attnum > 0 and not a.attisdropped
      union select given::regtype from unnest(${castTypes()}::text[]) as given
    ) select distinct case
        when t.typtype = 'e' then 'enum' when e.typtype = 'e' then 'enum[]' else format_type(t.oid, null)
      end as type
    from used join pg_type t on t.oid = used.type left join pg_type e on e.oid = t.typelem`;
  expect(types.map(({ type }) => type).sort()).toEqual(Object.keys(SENT).sort());
});

describe.each(ROUTINES)("inside a transaction (%s)", (routine) => {
  const change = () =>
    one.sql.begin(async (tx) => {
      await tx`insert into changing (place) values (${2}::int)`;
      return await tx`select c.* from changing c where place > ${0}::int`;
    });
  const read = () => one.sql.begin((tx) => tx`select c.*, ${"read"}::text as own from changing c`);

  test("it is 503 that says that nothing was applied, once, and the repeat is applied", async () => {
    await change();
    await read();
    await LOSSES[routine]();
    const error = toDomainError(await change().catch((thrown: unknown) => thrown));
    expect([error.code, error.options.headers]).toEqual(["unavailable", { "Retry-After": "2" }]);
    expect(error.message).toContain("not applied");
    expect(await db.sql`select place from changing where place = 2`).toHaveLength(1);
    // The statements of another request were lost as well.
    expect(await read()).toHaveLength(2);
    expect(await change()).toHaveLength(3);
  });
});
