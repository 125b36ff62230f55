#!/usr/bin/env bash
# pg-safe-numbers 0.7.0 from npm, with pg 8.20.0, in Postgres as @electric-sql/pglite 0.5.14 behind
# @electric-sql/pglite-socket 0.2.17.
# Expected: as its documentation says, "when unsafe parsing is detected", a TypeError is thrown. So a numeric or a
# bigint that a JavaScript number cannot have is never rounded. It replaces the readers of both types, and of lists of
# both.
# Really: the reader for lists of numeric is given to a type that is misspelt, and so undefined, and such lists are read
# as before: array_agg of amounts is rounded, and nothing is said. Lists of bigint, and both types alone, throw. So does
# what a number has exactly: below a millionth it compares 0.0000005 with 5e-7, as JavaScript writes it, so that a
# payment of this amount fails the whole query.
# What follows: of 12345678901234567890.12 points, a query by rows stops, and one with array_agg has
# 12345678901234567000. Read amounts as texts, as pg does by itself, and as this service does (db/client.ts).
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts pg-safe-numbers@0.7.0 pg@8.20.0 \
  @electric-sql/pglite@0.5.14 @electric-sql/pglite-socket@0.2.17 >/dev/null
cat >read.mjs <<'JS'
import { PGlite } from "@electric-sql/pglite";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import pg from "pg";
import safe from "pg-safe-numbers";

const db = await PGlite.create();
const server = new PGLiteSocketServer({ db, host: "127.0.0.1", port: 0 });
const listening = new Promise((resolve) => server.addEventListener("listening", ({ detail }) => resolve(detail.port)));
await server.start();
safe.pgSetTypeParsers({ pg });
const client = new pg.Client(`postgres://postgres@127.0.0.1:${await listening}/postgres`);
await client.connect();
const ask = async (sql) => {
  try {
    const { rows } = await client.query({ text: `select ${sql} from unnest('{1}'::int[])`, rowMode: "array" });
    return JSON.stringify(rows[0][0]);
  } catch (error) {
    return error.message.replace(/ parse .*/, "");
  }
};
const numbers = ["1.50::numeric", "0.0000005::numeric", "12345678901234567890.12::numeric", "9007199254740993::bigint"];
for (const value of numbers)
  console.log(`${value}: ${await ask(value)}, array_agg: ${await ask(`array_agg(${value})`)}`);
process.exit(0);
JS
seen=$(node read.mjs)
wanted='1.50::numeric: 1.5, array_agg: [1.5]
0.0000005::numeric: Unsafe float, array_agg: [5e-7]
12345678901234567890.12::numeric: Unsafe float, array_agg: [12345678901234567000]
9007199254740993::bigint: Unsafe int, array_agg: Unsafe int'
[ "$seen" = "$wanted" ] || { printf 'The numbers were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: pg-safe-numbers refuses amounts that it would round, and rounds lists of them"
