#!/usr/bin/env bash
# mcron 1.0.8 (Debian 12), GNU's cron in Guile, which reads crontabs as well.
# Expected: as its documentation says, what it has of crontab(5) is definitive, and other behaviour is a bug: months
# are numbers or names. It also says that 12 waits for January, "but don't rely on this", and nothing of 2 or 11.
# Really: each month that is written as a number is the next one. 12 is January, 2 is March, so that 29 2, which is a
# day of every fourth year, is 29 March of each, and 3,6,9,12, the ends of quarters, is April, July, October and
# January. By name (dec) months are right, and so are *, */3 and the other fields. --schedule shows it.
# What follows: a payout of December is made a month later, after the year's books are closed. Write months by name. The
# crontabs of deploy.md have only stars for them.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download mcron=1.0.8-1.1 guile-3.0-libs=3.0.8-2 libgc1 libffi8 libunistring2 libgmp10 libcrypt1 2>/dev/null
for package in *.deb; do dpkg-deb -x "$package" .; done
lib=$(echo "$dir"/usr/lib/*-linux-gnu)
# mcron looks for its parts in ./scm as well.
cp -rp usr/share/guile/3.0 scm
cp -rp usr/share/mcron scm
export LD_LIBRARY_PATH="$lib" LC_ALL=C TZ=UTC GUILE_AUTO_COMPILE=0 HOME="$dir"
export GUILE_SYSTEM_PATH="$dir/scm" GUILE_SYSTEM_COMPILED_PATH="$lib/guile/3.0/ccache"
months() {
  echo "$1: $(echo "$1 echo pay" | usr/bin/mcron --schedule=4 -i vixie - 2>/dev/null |
    sed -nE 's/^... (...) +([0-9]+) [0-9:]+ [0-9]+.*/\2 \1/p' | sort -u | paste -sd ',')"
}
seen="$(months '0 9 1 12 *')
$(months '0 9 1 dec *')
$(months '0 9 29 2 *')
$(months '0 9 1 3,6,9,12 *')
$(months '0 9 1 mar,jun,sep,dec *')
$(months '0 9 1 */3 *')"
wanted='0 9 1 12 *: 1 Jan
0 9 1 dec *: 1 Dec
0 9 29 2 *: 29 Mar
0 9 1 3,6,9,12 *: 1 Apr,1 Jan,1 Jul,1 Oct
0 9 1 mar,jun,sep,dec *: 1 Dec,1 Jun,1 Mar,1 Sep
0 9 1 */3 *: 1 Apr,1 Jan,1 Jul,1 Oct'
[ "$seen" = "$wanted" ] || { printf 'mcron ran\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: mcron takes month 12 for January, and December only by its name"
