#!/usr/bin/env bash
# mongo-query-to-postgres-jsonb 0.2.19 from npm, which writes MongoDB's queries as SQL on a jsonb column. mingo 7.2.6,
# which answers them as MongoDB does, is beside it, and Postgres is @electric-sql/pglite 0.5.14.
# Expected: as its documentation says, $nin, $not, $in and $inc are supported. In MongoDB, what is not one of a list, or
# not more than 100, is also what is missing, and $inc makes what is missing.
# Really: the SQL is null for what is missing, so that such rows are left out by $nin, $not and $nor. $ne is right. In
# the lists of $in and $nin, a quote or a backslash in a text is escaped as in JSON, so that such a text is never found,
# and never excluded. $inc of a path whose parent is missing changes nothing. Nothing is said. Where each row has all
# fields, and texts have no quotes, all are right, so a test with such rows shows nothing.
# What follows: who was never blocked has no state, and is not paid when all are asked for who are not blocked; and who
# is blocked by a name with a quote in it is paid. Ask with $ne, or $or with null. This service keeps states in columns
# of their own.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts mongo-query-to-postgres-jsonb@0.2.19 \
  mingo@7.2.6 @electric-sql/pglite@0.5.14 >/dev/null
cat >ask.mjs <<'JS'
import { PGlite } from "@electric-sql/pglite";
import { Query } from "mingo";
import convert from "mongo-query-to-postgres-jsonb";

const accounts = [
  { to: "alice", state: "ACTIVE", points: 5 },
  { to: "bob", state: "BLOCKED", points: 500 },
  { to: "carol", points: 7 },
  { to: 'dave "d"', state: "ACTIVE" },
];
const db = await PGlite.create();
await db.exec("create table accounts (data jsonb)");
for (const account of accounts) await db.query("insert into accounts values ($1)", [account]);
const names = (rows) => rows.map(({ to }) => to).join(", ") || "nobody";
const queries = [
  { state: { $ne: "BLOCKED" } },
  { state: { $nin: ["BLOCKED", "CLOSED"] } },
  { points: { $not: { $gt: 100 } } },
  { $nor: [{ points: { $gt: 100 } }] },
  { to: { $in: ["alice", 'dave "d"'] } },
  { to: { $nin: ["alice", 'dave "d"'] } },
];
for (const query of queries) {
  const { rows } = await db.query(`select data->>'to' as to from accounts where ${convert("data", query)}`);
  console.log(`${JSON.stringify(query)}: ${names(rows)} | ${names(new Query(query).find(accounts).all())}`);
}
const update = { $inc: { "sum.paid": 5 } };
const made = convert.convertUpdate("data", update);
const { rows } = await db.query(`select (${made})->'sum' as sum from accounts limit 1`);
console.log(`${JSON.stringify(update)}: ${JSON.stringify(rows[0].sum)}`);
JS
seen=$(node ask.mjs)
# shellcheck disable=SC2016 # no expression of the shell
wanted='{"state":{"$ne":"BLOCKED"}}: alice, carol, dave "d" | alice, carol, dave "d"
{"state":{"$nin":["BLOCKED","CLOSED"]}}: alice, dave "d" | alice, carol, dave "d"
{"points":{"$not":{"$gt":100}}}: alice, carol | alice, carol, dave "d"
{"$nor":[{"points":{"$gt":100}}]}: alice, carol | alice, carol, dave "d"
{"to":{"$in":["alice","dave \"d\""]}}: alice | alice, dave "d"
{"to":{"$nin":["alice","dave \"d\""]}}: bob, carol, dave "d" | bob, carol
{"$inc":{"sum.paid":5}}: null'
[ "$seen" = "$wanted" ] || { printf 'They found\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: mongo-query-to-postgres-jsonb leaves out who has no state where some are excluded"
