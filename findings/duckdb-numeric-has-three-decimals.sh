#!/usr/bin/env bash
# DuckDB 1.5.6, as @duckdb/node-api 1.5.6-r.1 from npm.
# Expected: the query that adds up a file exactly in Postgres, sum(counted::numeric), does so here; and
# median() of a DECIMAL is exact, as sum() and max() are.
# Really: `numeric` without its digits is DECIMAL(18,3), and each amount is rounded to three decimals before
# it is added: three times 0.0004 are 0.000. median() of two DECIMAL(38,12) goes through a double, also if
# both are the same 99999999999999999.000000000001: it is 99999999999999991.433150857216, less than each by
# more than seven.
# What follows: docs/statements.md writes decimal(38, 12) for DuckDB, and shows sums only.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts @duckdb/node-api@1.5.6-r.1 >/dev/null
cat >"$dir/add.mjs" <<'JS'
import { DuckDBInstance } from "@duckdb/node-api";
const connection = await (await DuckDBInstance.create()).connect();
const ask = async (query) => console.log((await connection.runAndReadAll(query)).getRowsJson()[0].join(" "));
await ask("select typeof('1'::numeric), sum(v::numeric) from (values ('0.0004'), ('0.0004'), ('0.0004')) as t (v)");
await ask("select sum(v::decimal(38, 12)) from (values ('0.0004'), ('0.0004'), ('0.0004')) as t (v)");
const twice = "('99999999999999999.000000000001'), ('99999999999999999.000000000001')";
await ask(`select min(x), median(x) from (select v::decimal(38, 12) as x from (values ${twice}) as t (v))`);
JS
seen=$(cd "$dir" && node add.mjs)
wanted='DECIMAL(18,3) 0.000
0.001200000000
99999999999999999.000000000001 99999999999999991.433150857216'
[ "$seen" = "$wanted" ] || { printf 'DuckDB answered\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: DuckDB rounds amounts as numeric to three decimals, and takes their median as doubles"
