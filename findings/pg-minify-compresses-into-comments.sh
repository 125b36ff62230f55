#!/usr/bin/env bash
# pg-minify 1.8.0 from npm, with `compress`, which pg-promise's query files have as an option, too. Run in
# Postgres as @electric-sql/pglite 0.5.14.
# Expected: a compressed statement does what it did before.
# Really: it takes away the spaces beside each sign, also between a minus and a negative number. `0 - -5`
# becomes `0--5`, and in SQL two minuses begin a comment, which lasts to the end, as the statement is one
# line now. So an update of Alice's points ends before its WHERE: she does not get her 5, and every account
# is set to 0. Nothing is refused.
# What follows: SQL that is compressed needs `0 - (-5)`. No SQL of this service is rewritten.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts pg-minify@1.8.0 \
  @electric-sql/pglite@0.5.14 >/dev/null
cat >update.mjs <<'JS'
import { PGlite } from "@electric-sql/pglite";
import minify from "pg-minify";

const database = await PGlite.create();
const update = "update accounts set points = 0 - -5 where name = 'alice'";
for (const statement of [update, minify(update), minify(update, { compress: true })]) {
  await database.exec("drop table if exists accounts; create table accounts (name text, points numeric)");
  await database.exec("insert into accounts values ('alice', 1), ('bob', 7)");
  await database.exec(statement);
  const { rows } = await database.query("select name, points from accounts order by name");
  console.log(statement, "|", rows.map(({ name, points }) => `${name} ${points}`).join(" "));
}
process.exit(0);
JS
seen=$(node update.mjs)
wanted="update accounts set points = 0 - -5 where name = 'alice' | alice 5 bob 7
update accounts set points = 0 - -5 where name = 'alice' | alice 5 bob 7
update accounts set points=0--5 where name='alice' | alice 0 bob 0"
[ "$seen" = "$wanted" ] || { printf 'The accounts were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: compressed by pg-minify, a minus before a negative number begins a comment"
