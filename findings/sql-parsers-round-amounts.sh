#!/usr/bin/env bash
# Parsers of SQL from npm that write it again: node-sql-parser 5.4.0 (astify, sqlify) and pgsql-ast-parser 12.0.2
# (parse, toSql).
# Expected: a statement is written with the numbers that were read. Both know numeric literals of Postgres, which are
# exact. That large numbers were thought of shows: node-sql-parser keeps all digits of 9007199254740993.1.
# Really: only above 2^53. Below, the literal becomes a double, and is written with as many decimals as it had, so
# that it does not look rounded: 1234567890123456.78 is 1234567890123456.75, and 100.000000000000000001 is
# 100.000000000000000000. A minus makes a double of large numbers, too. pgsql-ast-parser writes the shortest text of
# the double, and rounds large numbers as well. Cents of smaller amounts are right.
# What follows: a proxy, or a guard that adds a condition to each statement, changes amounts that are in the text of
# the SQL. This service gives all amounts as parameters.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts node-sql-parser@5.4.0 \
  pgsql-ast-parser@12.0.2 >/dev/null
cat >"$dir/write.cjs" <<'JS'
const { Parser } = require("node-sql-parser");
const { parse, toSql } = require("pgsql-ast-parser");
const sql = new Parser();
const database = "postgresql";
for (const amount of ["1234567.89", "1234567890123456.78", "123456789.123456789", "100.000000000000000001",
  "9007199254740993.1", "9007199254740993", "-9007199254740993"]) {
  const statement = `SELECT ${amount}`;
  const written = sql.sqlify(sql.astify(statement, { database }), { database });
  console.log(...[statement, written, toSql.statement(parse(statement)[0]).trim()].map((text) => text.slice(7)));
}
JS
seen=$(cd "$dir" && node write.cjs)
wanted='1234567.89 1234567.89 (1234567.89)
1234567890123456.78 1234567890123456.75 (1234567890123456.8)
123456789.123456789 123456789.123456791 (123456789.12345679)
100.000000000000000001 100.000000000000000000 (100.)
9007199254740993.1 9007199254740993.1 (9007199254740994.)
9007199254740993 9007199254740993 (9007199254740992)
-9007199254740993 -9007199254740992 (-9007199254740992)'
[ "$seen" = "$wanted" ] || { printf 'The numbers were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: node-sql-parser and pgsql-ast-parser write other numbers than they read"
