#!/usr/bin/env bash
# dataframe-js 1.4.4 from npm, its SQL module. Postgres as @electric-sql/pglite 0.5.14 runs the same statements beside
# it.
# Expected: as its documentation says, it allows "to request on these, by using SQL syntax", with the example WHERE
# column1 = 6. What it does not know, as brackets, is refused.
# Really: a cell is made a text and compared with a number, so that = finds no number, also not in the documentation's
# example, and != finds all. OR and AND are read from left to right, so that the last one decides: a payment that is
# asked for by its recipient is left out by a limit for others. Of ORDER BY and LIMIT, what comes behind WHERE belongs
# to the value that is compared, so that a few rows or none are found, and elsewhere both are left out. Nothing is
# said. IN in capitals is the operator wherever it is, so PENDING and FINALIZED are errors. < and > of numbers, = of
# other texts, and AND alone are right.
# What follows: nobody with an amount of 10 is found, and all have one that is not 0. Use filter of the package itself,
# with a function. Batches here are PENDING and FINALIZED.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts dataframe-js@1.4.4 \
  @electric-sql/pglite@0.5.14 >/dev/null
cd "$dir"
cat >ask.cjs <<'JS'
const { DataFrame } = require("dataframe-js");
const { PGlite } = require("@electric-sql/pglite");

const rows = [
  ["alice", "PENDING", 0],
  ["bob", "FINALIZED", 10],
  ["carol", "HELD", 100],
  ["dave", "HELD", 5],
];
const list = new DataFrame(rows, ["who", "status", "points"]);
DataFrame.sql.registerTable(list, "list");
(async () => {
  const db = new PGlite();
  await db.exec("create table list (who text, status text, points int)");
  for (const row of rows) await db.query("insert into list values ($1, $2, $3)", row);
  for (const end of [
    "points = 10",
    "points != 0",
    "status = 'PENDING'",
    "status = 'FINALIZED'",
    "status = 'HELD'",
    "who = 'alice' OR status = 'HELD' AND points > 50",
    "points > 50 ORDER BY points",
    "points > 5 ORDER BY points",
    "points > 5 LIMIT 1",
  ]) {
    const sql = `SELECT who FROM list WHERE ${end}`;
    const names = (found) => found.map(({ who }) => who).join(" ") || "nobody";
    let its;
    try {
      its = names(DataFrame.sql.request(sql).toCollection());
    } catch (error) {
      its = error.message.split(" not found")[0];
    }
    console.log(`${end}: ${its}; Postgres: ${names((await db.query(sql)).rows)}`);
  }
})();
JS
seen=$(node ask.cjs)
wanted='points = 10: nobody; Postgres: bob
points != 0: alice bob carol dave; Postgres: bob carol dave
status = '\''PENDING'\'': status = '\''PEND; Postgres: alice
status = '\''FINALIZED'\'': status = '\''F; Postgres: bob
status = '\''HELD'\'': carol dave; Postgres: carol dave
who = '\''alice'\'' OR status = '\''HELD'\'' AND points > 50: carol; Postgres: alice carol
points > 50 ORDER BY points: nobody; Postgres: carol
points > 5 ORDER BY points: nobody; Postgres: bob carol
points > 5 LIMIT 1: nobody; Postgres: bob'
[ "$seen" = "$wanted" ] || { printf 'They found\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: the SQL of dataframe-js finds no amount of 10, and all amounts that are not 0"
