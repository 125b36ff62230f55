#!/usr/bin/env bash
# PGObject::Util::PseudoCSV 2 for Perl (Debian 12: libpgobject-util-pseudocsv-perl), which reads and writes Postgres'
# texts of rows and lists. Postgres is @electric-sql/pglite 0.5.14 from npm.
# Expected: as its documentation says, it reads "text representations of tuples and arrays", also nested ones, as the
# gotchas of this format "render existing CSV-parsers useless". What it writes is read by Postgres as the same values.
# Really: in lists, Postgres writes a quote as \" and a backslash as \\, which it does not know. So a list of one text
# with quotes is two texts, and a list of two rows, of which one has a space in it, is five pieces: a reference, its
# points and its note are elements of their own. In rows, what is null is an empty text or is missing at the end, and a
# text null is undefined. Written back, undefined is the text NULL, an empty text is null, and a backslash is gone.
# Nothing is said. Rows and lists of plain words and numbers are right, so a test with such values shows nothing.
# What follows: the third element of a list of payments is another payment's amount, and a row without a reference gets
# the reference NULL, which is paid once and then refused. Let Postgres make JSON of rows. This service reads no texts
# of rows.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts @electric-sql/pglite@0.5.14 >/dev/null
apt-get -qq download libpgobject-util-pseudocsv-perl=2-2 2>/dev/null
dpkg-deb -x ./*.deb .
cat >ask.mjs <<'JS'
import { readFileSync } from "node:fs";
import { PGlite } from "@electric-sql/pglite";

const db = await PGlite.create();
await db.exec("create type payment as (reference text, points numeric, note text)");
for (const line of readFileSync(0, "utf8").trim().split("\n")) {
  const { rows } = await db.query(`select ${line} as value`);
  console.log(rows[0].value);
}
JS
cat >read.pl <<'PERL'
use strict;
use JSON::PP;
use PGObject::Util::PseudoCSV;
my $json = JSON::PP->new->allow_nonref;
while (<STDIN>) {
    chomp;
    print "$_ is ", $json->encode([pseudocsv_parse($_)]), "\n";
}
PERL
cat >write.pl <<'PERL'
use strict;
use PGObject::Util::PseudoCSV;
print "to_json(\$text\$", to_pseudocsv($_, 1), "\$text\$::payment)::text\n"
    for ["season-3", "5", "ok"], [undef, "5", ""], ["a\\b", "5", "x"];
PERL
export PERL5LIB=$dir/usr/share/perl5
seen="$(node ask.mjs <<'SQL' | perl read.pl
row('season-3', 5, 'ok')::payment::text
row('null', 5, null)::payment::text
array['a', 'b c']::text
array['size "L"', 'b']::text
array[row('row 7', 5, 'ok')::payment, row('row-8', 6, 'ok')::payment]::text
SQL
)
$(perl write.pl | node ask.mjs)"
wanted='(season-3,5,ok) is ["season-3","5","ok"]
(null,5,) is [null,"5"]
{a,"b c"} is ["a","b c"]
{"size \"L\"",b} is ["size \\","L\\\"","b"]
{"(\"row 7\",5,ok)","(row-8,6,ok)"} is ["(\\","row 7\\\"","5","ok)\"","(row-8,6,ok)"]
{"reference":"season-3","points":5,"note":"ok"}
{"reference":"NULL","points":5,"note":null}
{"reference":"ab","points":5,"note":"x"}'
[ "$seen" = "$wanted" ] || { printf 'It read and wrote\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: PGObject::Util::PseudoCSV makes five elements of a list of two rows"
