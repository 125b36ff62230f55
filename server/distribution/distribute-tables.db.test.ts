import { afterEach, beforeEach, expect, test } from "vitest";
import { refusalOf } from "../testing/expect-refusal";
import { testDatabase } from "../testing/test-database";
import { distributeTables } from "./distribute-tables";
import { DISTRIBUTED_TABLES } from "./tables";

let db: Awaited<ReturnType<typeof testDatabase>>;
beforeEach(async () => {
  db = await testDatabase({ poolMax: 4 });
});
afterEach(() => db?.drop());

const names = Object.keys(DISTRIBUTED_TABLES);

/** What of Citus the command asks: it notes what it is told, and moves no row. Citus itself is no package of Debian or npm. */
async function standIn(): Promise<void> {
  await db.sql.unsafe(`
    create table citus_tables (table_name regclass, citus_table_type text default 'distributed', distribution_column text, colocate_with text);
    create function create_distributed_table(name regclass, by text, colocate_with text) returns void language plpgsql as $$
    begin
      if current_setting('citus.enable_unsafe_triggers', true) is distinct from 'on'
        and exists (select from pg_trigger where tgrelid = name and not tgisinternal) then
        raise exception 'triggers are not supported on distributed tables';
      end if;
      insert into citus_tables values (name, default, by, colocate_with);
    end $$;
    set allow_system_table_mods = on;
    insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
      values (999999, 'citus', 10, 2200, false, 'stand-in');
    reset allow_system_table_mods`);
}

const noted = () =>
  db.sql`select table_name::text as table, distribution_column as by, colocate_with from citus_tables`;

test("without the extension it is refused in words, and nothing is changed", async () => {
  const refusal = await refusalOf(distributeTables(db));
  expect(refusal.message).toContain("create extension citus");
});

test("every table is distributed by its column, all in one group", async () => {
  await standIn();
  expect(await distributeTables(db)).toEqual({ distributed: names, already: [] });
  expect([...(await noted())]).toEqual(
    Object.entries(DISTRIBUTED_TABLES).map(([table, by], at) => ({
      table,
      by,
      colocate_with: at === 0 ? "none" : "batches",
    })),
  );
});

test("a second time, and two at once, change nothing more", async () => {
  await standIn();
  const both = await Promise.all([distributeTables(db), distributeTables(db)]);
  expect(both.flatMap(({ distributed }) => distributed)).toEqual(names);
  expect(await distributeTables(db)).toEqual({ distributed: [], already: names });
  expect(await noted()).toHaveLength(names.length);
});

test("a table that is distributed by another column is refused, and the others stay as they were", async () => {
  await standIn();
  await db.sql`insert into citus_tables (table_name, distribution_column) values ('recipient_transfers', 'contract_address')`;
  const refusal = await refusalOf(distributeTables(db));
  expect(refusal.message).toContain("recipient_transfers is distributed by contract_address");
  expect(await noted()).toHaveLength(1);
});
