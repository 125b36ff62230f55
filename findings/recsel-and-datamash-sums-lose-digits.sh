#!/usr/bin/env bash
# GNU recutils 1.9 (recsel) and GNU datamash 1.7, Debian 12.
# Expected: two tools that are made to add up columns give 1234567.90 for 1234567.89 and 0.01, as awk's
# printf "%.2f" does.
# Really: recsel's Sum, Max, Min and Avg write six digits, 1.23457e+06, also for whole numbers (6e+09) and for
# the only record of a group. datamash writes 14, so that 123456789012345.67 alone becomes
# 1.2345678901235e+14. Neither says so, and no option of recsel gives more. datamash -R2 writes all digits.
# What follows: no total of them is a total. docs/statements.md adds up with programs that keep the digits.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download recutils=1.9-2 librec1=1.9-2 datamash=1.7-2 2>/dev/null
for package in *.deb; do dpkg-deb -x "$package" .; done
LD_LIBRARY_PATH=$(echo "$dir"/usr/lib/*-linux-gnu)
export LD_LIBRARY_PATH LC_ALL=C
printf '%%rec: Paid\n%%type: points %s\n\nto: alice\npoints: %s\n\nto: bob\npoints: %s\n' \
  real 1234567.89 0.01 >real.rec
sed 's/real/int/; s/: [0-9.]*$/: 3000000000/' real.rec >int.rec
seen="$(usr/bin/recsel -p 'Sum(points)' real.rec)
$(usr/bin/recsel -p 'Sum(points)' int.rec)
$(usr/bin/recsel -G to -p 'to,Sum(points)' real.rec | grep .)
$(printf '123456789012345.67\n' | usr/bin/datamash sum 1)
$(printf '123456789012345.67\n' | usr/bin/datamash -R2 sum 1)"
wanted='Sum_points: 1.23457e+06
Sum_points: 6e+09
to: alice
Sum_points: 1.23457e+06
to: bob
Sum_points: 0.01
1.2345678901235e+14
123456789012345.67'
[ "$seen" = "$wanted" ] || { printf 'The sums were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: recsel writes sums with 6 digits, and datamash with 14"
