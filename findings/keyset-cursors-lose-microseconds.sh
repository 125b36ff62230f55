#!/usr/bin/env bash
# drizzle-cursor 0.4.1 (drizzle-orm 0.45.4) and kysely-cursor 0.1.0 (kysely 0.28.19) from npm, which make
# pages by keyset, in Postgres as @electric-sql/pglite 0.5.14.
# Expected: in the order of created_at and then id, as their guides show it, each of 25 rows is on one page.
# Really: they make a cursor of the last row as JavaScript has it. Its Date has milliseconds, and Postgres has
# microseconds, so the next page begins at the start of the last row's millisecond. Of rows that are closer
# together, as a job writes them, page 1 comes again for ever in ascending order. In descending order, the
# rest of a millisecond is left out: 10 of 25 rows are on no page. And where a column is a Date, a token that
# drizzle-cursor's serialize() made fails in its where().
# What follows: a cursor needs the time as Postgres writes it, for drizzle by the column's `mode: "string"`.
# This service has times as texts (db/client.ts).
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts drizzle-cursor@0.4.1 \
  drizzle-orm@0.45.4 kysely-cursor@0.1.0 kysely@0.28.19 @electric-sql/pglite@0.5.14 >/dev/null
cat >pages.mjs <<'JS'
import { PGlite } from "@electric-sql/pglite";
import { generateCursor } from "drizzle-cursor";
import { integer, pgTable, timestamp } from "drizzle-orm/pg-core";
import { drizzle } from "drizzle-orm/pglite";
import { Kysely, PostgresDialect } from "kysely";
import * as paging from "kysely-cursor";

const database = await PGlite.create();
await database.exec(`create table payments (id integer primary key, created_at timestamptz);
  insert into payments select n, timestamptz '2026-01-01 00:00Z' + n * interval '100 microseconds'
  from generate_series(1, 25) as n`);

const createdAt = timestamp("created_at", { withTimezone: true });
const payments = pgTable("payments", { id: integer().primaryKey(), createdAt });
const drizzled = drizzle(database);
const byDrizzle = (order, tokenOf) => {
  const cursors = [{ order, key: "createdAt", schema: payments.createdAt }];
  const cursor = generateCursor({ cursors, primaryCursor: { order, key: "id", schema: payments.id } });
  return async (last) => {
    const page = drizzled.select().from(payments).orderBy(...cursor.orderBy).where(cursor.where(last));
    const rows = await page.limit(5);
    return { rows, next: rows.length > 0 ? tokenOf(rows.at(-1), cursor) : undefined };
  };
};

const query = async (text, values) => ({ command: "SELECT", ...(await database.query(text, values)) });
const pool = { connect: async () => ({ query, release() {} }), end() {} };
const db = new Kysely({ dialect: new PostgresDialect({ pool }) });
const cursorCodec = paging.codecPipe(paging.superJsonCodec, paging.base64UrlCodec);
const paginator = paging.createPaginator({ dialect: paging.PostgresPaginationDialect, cursorCodec });
const byKysely = (order) => async (nextPage) => {
  const sorts = ["created_at", "id"].map((col) => ({ col, dir: order.toLowerCase() }));
  const cursor = nextPage ? { nextPage } : undefined;
  const all = db.selectFrom("payments").select(["id", "created_at"]);
  const page = await paginator.paginate({ query: all, sorts, limit: 5, cursor });
  return { rows: page.items, next: page.nextPage };
};

async function read(name, pageAfter) {
  const ids = [];
  let last;
  let end = "";
  for (let pages = 0; pages < 6 && !end; pages++)
    try {
      const { rows, next } = await pageAfter(last);
      ids.push(...rows.map(({ id }) => id));
      last = next;
      if (rows.length === 0 || !next) end = "end";
    } catch {
      end = "fails";
    }
  console.log(`${name}: ${ids.join(" ")} ${end || "…"}`);
}
for (const order of ["ASC", "DESC"]) {
  await read(`drizzle-cursor ${order}`, byDrizzle(order, (row) => row));
  await read(`kysely-cursor ${order}`, byKysely(order));
}
await read("drizzle-cursor, tokens", byDrizzle("DESC", (row, cursor) => cursor.serialize(row)));
process.exit(0);
JS
seen=$(node pages.mjs)
wanted='drizzle-cursor ASC: 1 2 3 4 5 1 2 3 4 5 1 2 3 4 5 1 2 3 4 5 1 2 3 4 5 1 2 3 4 5 …
kysely-cursor ASC: 1 2 3 4 5 1 2 3 4 5 1 2 3 4 5 1 2 3 4 5 1 2 3 4 5 1 2 3 4 5 …
drizzle-cursor DESC: 25 24 23 22 21 20 19 18 17 16 10 9 8 7 6 end
kysely-cursor DESC: 25 24 23 22 21 20 19 18 17 16 10 9 8 7 6 end
drizzle-cursor, tokens: 25 24 23 22 21 fails'
[ "$seen" = "$wanted" ] || { printf 'The pages were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: pages by drizzle-cursor and kysely-cursor repeat or leave out rows of one millisecond"
