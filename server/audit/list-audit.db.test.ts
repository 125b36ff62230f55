import { beforeAll, expect, test } from "vitest";
import { explain, nodesOf, rowsRead, statementsOf } from "@/testing/explain";
import { staffContext } from "@/testing/factories";
import { useDatabase } from "@/testing/test-database";
import { type AuditFilters, listActors, listAudit, SEARCHED_MAX } from "./list-audit";

const CONTRACT = `0x${"ab".repeat(20)}`;
const LINES: [at: string, actor: string, action: string, target: string][] = [
  ["2026-01-01T00:00:00Z", "ops", "contract.create", `contract:${CONTRACT}`],
  ["2026-01-02T00:00:00Z", "staff:a@example.com", "staff.invite", "staff:b@example.com"],
  ["2026-01-03T00:00:00Z", "staff:a@example.com", "batch.cancel", `batch:${CONTRACT}/payout-1`],
  ["2026-01-04T00:00:00Z", "staff:b@example.com", "batch.cancel", `batch:${CONTRACT}/payout-2`],
  ["2026-01-05T00:00:00Z", "ops", "points.grant", `contract:${CONTRACT}`],
];

const db = useDatabase();
beforeAll(async () => {
  for (const [at, actor, action, target] of LINES)
    await db.sql`insert into audit_log (at, actor, action, target, detail, request_id)
      values (${at}, ${actor}, ${action}, ${target}, '{"n": 1}', ${`r${at.slice(8, 10)}`})`;
});

const days = async (filters: AuditFilters) =>
  (await listAudit(staffContext(db), filters)).entries.map(({ at }) => Number(at.slice(8, 10)));

test("the log is listed completely, newest first, and every actor once", async () => {
  const { entries, cursor } = await listAudit(staffContext(db), {});
  expect(cursor).toBeNull();
  expect(entries.map(({ action }) => action)).toEqual(LINES.map(([, , action]) => action).reverse());
  expect(entries[0]).toMatchObject({
    at: "2026-01-05T00:00:00.000Z",
    actor: "ops",
    detail: { n: 1 },
    requestId: "r05",
  });
  expect(await listActors(staffContext(db))).toEqual(["ops", "staff:a@example.com", "staff:b@example.com"]);
});

test.each<[string, AuditFilters, number[]]>([
  ["an actor", { actor: "ops" }, [5, 1]],
  ["a person's email", { actor: "A@example.com" }, [3, 2]],
  ["several actions", { actions: ["staff.invite", "points.grant"] }, [5, 2]],
  [
    "part of the target, in any letter case",
    { target: CONTRACT.toUpperCase().replace("0X", "0x") },
    [5, 4, 3, 1],
  ],
  ["a request ID, as a whole", { requestId: "r04" }, [4]],
  ["a part of a request ID", { requestId: "r" }, []],
  ["a wildcard character, taken literally", { target: "%" }, []],
  [
    "a time range, bounds excluded",
    { after: "2026-01-02T00:00:00Z", before: "2026-01-05T00:00:00Z" },
    [4, 3],
  ],
  ["a bound finer than a millisecond", { before: "2026-01-02T00:00:00.0001Z" }, [2, 1]],
  ["all of them together", { actor: "a@example.com", actions: ["batch.cancel"], target: "payout" }, [3]],
])("filter by %s", async (_name, filters, expected) => {
  expect(await days(filters)).toEqual(expected);
});

test("a part of a target is searched in pages of a bounded number of entries, also empty ones, to the end", async () => {
  await db.sql`insert into audit_log (actor, action, target)
    select 'many', 'staff.link', 'staff:' || n from generate_series(1, ${2 * SEARCHED_MAX}) n`;
  await db.sql`analyze audit_log`;
  const read = async (cursor: string | null) => {
    const { result, sent } = await statementsOf(db.url, (sql) =>
      listAudit({ ...staffContext(db), db: { ...db, sql } }, { target: "payout", cursor }),
    );
    const nodes = nodesOf(await explain(db, sent.at(-1)!.text, sent.at(-1)!.values, { analyze: true }));
    expect(rowsRead(nodes, ["audit_log"])).toBeLessThanOrEqual(SEARCHED_MAX);
    return result;
  };
  const first = await read(null);
  const second = await read(first.cursor);
  const last = await read(second.cursor);
  expect([first.entries, second.entries, last.cursor]).toEqual([[], [], null]);
  expect(last.entries.map(({ at }) => Number(at.slice(8, 10)))).toEqual([4, 3]);
  await db.sql`delete from audit_log where actor = 'many'`;
});

test("pages have no gaps or repeats, even when entries are added meanwhile", async () => {
  const ctx = staffContext(db);
  const first = await listAudit(ctx, { limit: 2 });
  await db.sql`insert into audit_log (actor, action, target) values ('new', 'staff.link', 'staff:z')`;
  const second = await listAudit(ctx, { limit: 2, cursor: first.cursor });
  const third = await listAudit(ctx, { limit: 2, cursor: second.cursor });
  const seen = [first, second, third].flatMap(({ entries }) => entries.map(({ at }) => at.slice(8, 10)));
  expect(seen).toEqual(["05", "04", "03", "02", "01"]);
  expect(third.cursor).toBeNull();
  await db.sql`delete from audit_log where actor = 'new'`;
});
