import { expect, test } from "vitest";
import { changesOf } from "./change-statement.mjs";
import { statementsOf } from "./statements-of.mjs";

/** The whole source after each change of its statements. */
const changed = (source: string) =>
  statementsOf(source)
    .flatMap(changesOf)
    .map(({ at, end, to }) => source.slice(0, at) + to + source.slice(end));

test("drops conditions one by one, with any values, brackets and lines", () => {
  expect(
    changed(`sql\`select 1 from t where a = \${b} and (c = 1 or d) and e = f(g, \${h})\n  limit 5\``),
  ).toEqual([
    `sql\`select 1 from t where (c = 1 or d) and e = f(g, \${h})\n  limit 5\``,
    `sql\`select 1 from t where a = \${b}  and e = f(g, \${h})\n  limit 5\``,
    `sql\`select 1 from t where a = \${b} and (c = 1 or d) \n  limit 5\``,
    `sql\`select 1 from t where a = \${b} and (c = 1 or d) and e = f(g, \${h})\n \``,
  ]);
  expect(changed("sql`delete from t where a in (select 1)`")).toEqual(["sql`delete from t `"]);
});

test("drops each column of an update in turn", () => {
  expect(changed("sql`update t set a = f(1, 2), b = case when c then 1 else 2 end from u`")).toEqual([
    "sql`update t set  b = case when c then 1 else 2 end from u`",
    "sql`update t set a = f(1, 2) from u`",
  ]);
});

test("changes or drops signs, bounds, sums, nulls, states, locks and orders", () => {
  const statement = "select sum(a - 1) from t where b <= 2 order by c for update skip locked";
  expect(changed(`sql\`${statement}\``)).toEqual(
    [
      "select max(a - 1) from t where b <= 2 order by c for update skip locked",
      "select sum(a + 1) from t where b <= 2 order by c for update skip locked",
      "select sum(a - 1) from t  order by c for update skip locked",
      "select sum(a - 1) from t where b < 2 order by c for update skip locked",
      "select sum(a - 1) from t where b <= 2  for update skip locked",
      "select sum(a - 1) from t where b <= 2 order by c",
      "select sum(a - 1) from t where b <= 2 order by c for update",
    ].map((text) => `sql\`${text}\``),
  );
});

test("changes only SQL: no code, comments or messages, and values only if they are SQL", () => {
  const source = `/** \`select a - b\` */ const a = b - c; f('\`select 1 - 1\`', \`\${d} is - wrong\`); sql\`select \${e - f} - \${x ? sql\`select 1 + 1\` : 2}\``;
  expect(changed(source)).toEqual([source.replace("1 + 1", "1 - 1"), source.replace("} - $", "} + $")]);
});
