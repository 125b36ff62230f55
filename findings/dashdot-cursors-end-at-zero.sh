#!/usr/bin/env bash
# @dashdot/cursors 0.3.0 from npm, createCursor and cursorToSqlQuery, in Postgres as @electric-sql/pglite 0.5.14.
# Expected: by the order of its example, a column and then id, each of nine accounts is on one page of three.
# Really: what counts as false in JavaScript is null in a cursor: 0, false and an empty text. Nothing is more or less
# than null in SQL, so no page comes after one that ends with 0 points. In ascending order, all who have points are
# left out, and in descending order the rest of those who have none. Nothing is said: an empty page is the end. Where
# no page ends with such a value, all are right, so other page sizes or data may show nothing. Amounts as texts,
# "0.00", are right.
# What follows: a list of balances ends early, and a payout by it leaves people out. The cursors of this service have
# numbers, which may be 0 (server/kernel/cursor.ts).
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts @dashdot/cursors@0.3.0 \
  @electric-sql/pglite@0.5.14 >/dev/null
cat >pages.mjs <<'JS'
import * as cursors from "@dashdot/cursors";
import { PGlite } from "@electric-sql/pglite";

const { createCursor, cursorToSqlQuery } = cursors.default ?? cursors;
const database = await PGlite.create();
await database.exec(`create table accounts (id integer primary key, points integer not null);
  insert into accounts select n, greatest(0, n - 4) from generate_series(1, 9) as n`);
for (const [order, type] of [[{ points: "ASC", id: "ASC" }, "integer"], [{ points: "DESC", id: "ASC" }, "integer"],
  [{ points: "ASC", id: "ASC" }, "text"]]) {
  const pages = [];
  for (let cursor; pages.length < 9; ) {
    const [where, values, orderBy] = cursorToSqlQuery(cursor, order);
    const accounts = `(select id, points::numeric(9, 2)::${type} as points from accounts) as accounts`;
    const sql = `select * from ${accounts} ${where ? `where ${where}` : ""} order by ${orderBy} limit 3`;
    const { rows } = await database.query(sql, values);
    if (rows.length === 0) break;
    pages.push(rows.map(({ id, points }) => `${id}:${points}`).join(" "));
    cursor = createCursor(rows.at(-1), order);
  }
  console.log(`points ${order.points} as ${type}: ${pages.join(" | ")}`);
}
process.exit(0);
JS
seen=$(node pages.mjs)
wanted='points ASC as integer: 1:0 2:0 3:0
points DESC as integer: 9:5 8:4 7:3 | 6:2 5:1 1:0
points ASC as text: 1:0.00 2:0.00 3:0.00 | 4:0.00 5:1.00 6:2.00 | 7:3.00 8:4.00 9:5.00'
[ "$seen" = "$wanted" ] || { printf 'The pages were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: pages by @dashdot/cursors end with the first that ends with 0 points"
