#!/usr/bin/env bash
# csv-to-pg 4.12.1 from npm, csv2pg, which writes INSERT statements from a CSV. Run in Postgres as @electric-sql/pglite
# 0.5.14, with the time zone Europe/Berlin, and beside it the same texts without the tool.
# Expected: a field of the type date, as in the example of its documentation, is the day of the CSV, as Postgres reads
# it: 2026-11-30, 11/30/2026, 20261130 and 30 Nov 2026 are one day. A day that is none is refused.
# Really: each is read as a time by JavaScript, and written in UTC. So all but the first form are the midnight of the
# machine's zone, and east of Greenwich that is the day before. 20261130 is no time to JavaScript, and then counts as
# seconds since 1970: 23 August 1970. 31 November is 1 December. A time without a zone is moved by the zone, and
# microseconds are cut. In a column of another type than text, such as varchar, a reference NA is null. Nothing is said.
# 2026-11-30 is right, and so are 11/30/2026 and 30 Nov 2026 in UTC, so a test on a server shows nothing.
# What follows: what is due on the 30th is due on the 29th when somebody in Berlin loads the list, or 56 years ago, so
# that it is paid now. Load the CSV with COPY. Here, a batch says in how many seconds it is due (secondsToFinalize in
# docs/api.md).
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts csv-to-pg@4.12.1 \
  @electric-sql/pglite@0.5.14 >/dev/null
cat >due.csv <<'CSV'
id,due,booked,reference
1,2026-11-30,2026-11-30 12:00:00+00,7
2,11/30/2026,2026-11-30 12:00:00,NA
3,20261130,2026-11-30 12:00:00.123456+00,8
4,30 Nov 2026,2026-11-30 12:00:00+00,9
5,2026-11-31,2026-11-30 12:00:00+00,10
CSV
cat >config.yaml <<'YAML'
input: ./due.csv
output: ./due.sql
schema: public
table: payouts
fields: { id: int, due: date, booked: timestamptz, reference: varchar }
YAML
cat >load.mjs <<'JS'
import { readFileSync } from "node:fs";
import { PGlite } from "@electric-sql/pglite";

const db = await PGlite.create();
await db.exec("create table payouts (id int, due date, booked timestamptz, reference varchar)");
await db.exec(readFileSync("due.sql", "utf8"));
const { rows } = await db.query("select id, due::text, booked::text, reference from payouts order by id");
for (const { id, due, booked, reference } of rows) {
  const text = readFileSync("due.csv", "utf8").split("\n")[id].split(",")[1];
  const plain = db.query(`select '${text}'::date::text as due`).then((result) => result.rows[0].due);
  console.log(`${text} is ${due}, and ${await plain.catch(() => "none")} to Postgres; ${booked}, ${reference}`);
}
JS
load() { TZ=$1 node_modules/.bin/csv2pg config.yaml >/dev/null && node load.mjs; }
seen=$(load Europe/Berlin)
wanted='2026-11-30 is 2026-11-30, and 2026-11-30 to Postgres; 2026-11-30 12:00:00+00, 7
11/30/2026 is 2026-11-29, and 2026-11-30 to Postgres; 2026-11-30 11:00:00+00, null
20261130 is 1970-08-23, and 2026-11-30 to Postgres; 2026-11-30 12:00:00.123+00, 8
30 Nov 2026 is 2026-11-29, and 2026-11-30 to Postgres; 2026-11-30 12:00:00+00, 9
2026-11-31 is 2026-12-01, and none to Postgres; 2026-11-30 12:00:00+00, 10'
[ "$seen" = "$wanted" ] || { printf 'The rows were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
[ "$(load UTC | sed -n 2p)" = "11/30/2026 is 2026-11-30, and 2026-11-30 to Postgres; 2026-11-30 12:00:00+00, null" ] ||
  { echo "In UTC, 11/30/2026 is another day."; exit 1; }
echo "ok: csv2pg writes 11/30/2026 as the 29th in Berlin, and 20261130 as a day of 1970"
