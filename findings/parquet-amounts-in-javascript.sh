#!/usr/bin/env bash
# Readers of Parquet from npm: hyparquet 1.33.0 and @dsnp/parquetjs 1.8.8, of a file that DuckDB 1.5.6 writes.
# Expected: DECIMAL(38,12) and UINT_64 are exact in Parquet, so a reader gives all digits, or refuses.
# Really: hyparquet makes a JavaScript number of each decimal: 1234567890123456.78 is 1234567890123456.8.
# @dsnp/parquetjs does so up to 18 digits, and gives the 16 bytes of a wider one as they are, without the
# point. It reads an unsigned 64-bit integer as a signed one: 10 ether in wei are -8446744073709551616.
# hyparquet has that one right. Neither says anything.
# What follows: cast amounts to VARCHAR before they are written, and read them as text.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts hyparquet@1.33.0 \
  @dsnp/parquetjs@1.8.8 @duckdb/node-api@1.5.6-r.1 >/dev/null
cat >read.mjs <<'JS'
import { readFile } from "node:fs/promises";
import { DuckDBInstance } from "@duckdb/node-api";
import parquetjs from "@dsnp/parquetjs";
import { parquetReadObjects } from "hyparquet";

const connection = await (await DuckDBInstance.create()).connect();
await connection.run(`copy (select 1234567890123456.78::decimal(18, 2) as narrow,
  12345678901234567890.123456789012::decimal(38, 12) as wide, 10000000000000000000::ubigint as wei,
  10000000000000000000::varchar as text) to 'list.parquet' (format parquet)`);
const { buffer } = new Uint8Array(await readFile("list.parquet"));
const cursor = (await parquetjs.ParquetReader.openFile("list.parquet")).getCursor();
const rows = { hyparquet: (await parquetReadObjects({ file: buffer }))[0], parquetjs: await cursor.next() };
for (const [reader, { narrow, wide, wei, text }] of Object.entries(rows))
  console.log(reader, narrow, wide instanceof Uint8Array ? `${wide.length} bytes` : wide, wei, text);
process.exit(0);
JS
seen=$(node read.mjs)
wanted='hyparquet 1234567890123456.8 12345678901234567000 10000000000000000000n 10000000000000000000
parquetjs 1234567890123456.8 16 bytes -8446744073709551616n 10000000000000000000'
[ "$seen" = "$wanted" ] || { printf 'They read\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: two readers of Parquet round decimals, and one reads large unsigned integers as negative"
