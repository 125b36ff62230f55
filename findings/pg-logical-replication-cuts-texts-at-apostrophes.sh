#!/usr/bin/env bash
# pg-logical-replication 2.5.0 from npm, which reads the changes of a database, with pg 8.20.0 and Postgres 15.
# Expected: with Postgres' own test_decoding, for which it has a reader, and with pgoutput, a row arrives as it is
# stored, and a text may have apostrophes. Of an update, new has the row as it is now.
# Real: of a text in test_decoding's output, the reader takes what comes before the first apostrophe: "O'Brien's share"
# is "O". Nothing is said. Texts without one are right. A long one, of some 2000 characters and more, that an update has
# not changed is not sent again by Postgres: it is the text unchanged-toast-datum there. With pgoutput, texts are whole,
# and such a one is undefined in new. The documentation says nothing of any of this. A program that writes what it got
# into another table with pg, to which undefined is null, loses it.
# For the product: upgrade.md has Postgres itself subscribe, which keeps such columns. Who copies transfers by this
# package, with the references that people chose, has others in the copy, and batches whose metadata is long have none
# after their state has changed. Set REPLICA IDENTITY FULL, and use pgoutput.
set -euo pipefail
[ "$(id -u)" = 0 ] || { echo "run as root" >&2; exit 1; }
bin=/usr/lib/postgresql/15/bin
dir=$(mktemp -d)
trap 'su postgres -c "$bin/pg_ctl -D $dir/pg -m immediate stop" >/dev/null; rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts pg-logical-replication@2.5.0 \
  pg@8.20.0 >/dev/null
chown postgres "$dir"
su postgres -c "$bin/initdb -D $dir/pg -U postgres -A trust" >/dev/null
options="-p 25813 -k $dir -c listen_addresses=127.0.0.1 -c wal_level=logical"
su postgres -c "$bin/pg_ctl -D $dir/pg -w -l $dir/log -o '$options' start" >/dev/null
run() { psql -XqAt -h 127.0.0.1 -p 25813 -U postgres -c "$1" >/dev/null; }
run "create table transfers (id int primary key, state text, reference text, note text)"
run "create publication feed for table transfers"
run "select pg_create_logical_replication_slot('pgoutput', 'pgoutput')"
run "select pg_create_logical_replication_slot('test_decoding', 'test_decoding')"
run "insert into transfers values (1, 'PENDING', 'season-3', 'x'), (2, 'PENDING', 'O''Brien''s share', 'x')"
run "insert into transfers select 3, 'PENDING', 'row-3', string_agg(md5(n::text), '') from generate_series(1, 200) n"
run "update transfers set state = 'PAID' where id = 3"
cat >feed.mjs <<'JS'
import { LogicalReplicationService, PgoutputPlugin, TestDecodingPlugin } from "pg-logical-replication";
import pg from "pg";

const connection = { host: "127.0.0.1", port: 25813, user: "postgres", database: "postgres" };
const client = new pg.Client(connection);
await client.connect();
const plugins = {
  test_decoding: new TestDecodingPlugin({}),
  pgoutput: new PgoutputPlugin({ protoVersion: 1, publicationNames: ["feed"] }),
};
const short = (text) => (text?.length > 40 ? `${text.length} characters` : text);
for (const [slot, plugin] of Object.entries(plugins)) {
  const rows = [];
  const service = new LogicalReplicationService(connection, { acknowledge: { auto: false, timeoutSeconds: 0 } });
  const done = new Promise((resolve, reject) => {
    service.on("error", reject);
    service.on("data", (_position, { data, tag, new: row }) => {
      if (Array.isArray(data)) rows.push(Object.fromEntries(data.map(({ name, value }) => [name, value])));
      if (tag === "insert" || tag === "update") rows.push(row);
      if (rows.length === 4) resolve();
    });
  });
  service.subscribe(plugin, slot).catch(() => {});
  await done;
  await service.stop();
  console.log(slot);
  for (const { id, state, reference, note } of rows) {
    const copy = await client.query("select $1::text as note", [note]);
    console.log(`  ${id} ${state} ${reference}, ${short(note)}, copied ${short(copy.rows[0].note)}`);
  }
}
process.exit(0);
JS
got=$(timeout 60 node feed.mjs 2>&1)
want="test_decoding
  1 PENDING season-3, x, copied x
  2 PENDING O, x, copied x
  3 PENDING row-3, 6400 characters, copied 6400 characters
  3 PAID row-3, unchanged-toast-datum, copied unchanged-toast-datum
pgoutput
  1 PENDING season-3, x, copied x
  2 PENDING O'Brien's share, x, copied x
  3 PENDING row-3, 6400 characters, copied 6400 characters
  3 PAID row-3, undefined, copied null"
[ "$got" = "$want" ] || { printf 'expected\n%s\ngot\n%s\n' "$want" "$got" >&2; exit 1; }
echo "ok: pg-logical-replication reads O'Brien's share as O from test_decoding"
