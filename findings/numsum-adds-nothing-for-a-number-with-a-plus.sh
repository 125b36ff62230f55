#!/usr/bin/env bash
# numsum of num-utils 0.5 (Debian 12: num-utils), which adds up the numbers of a file.
# Expected: as its manual says, it "will take all the numbers" and processes "the first number on each line", with the
# option -x other columns, and "handles negative numbers and numbers with decimals". So a line with alice and 5 has the
# number 5, and +5 is 5, as in files of banks that sign both sides.
# Really: only what a line begins with counts. Where that is a name, or a plus, the line is 0: of +5, -3 and +4, the sum
# is -3. 1,000 is 1, 1e3 is 1, and 5-, which is a debit, is 5. -x without -c, which its text does not ask for, adds up
# the first column still. Nothing is said, also without -q, and the exit code is 0. The sum has 15 digits, so that
# 1234567890123456.78 is 1.23456789012346e+15. Plain numbers with a minus are right, so a test with these shows nothing.
# What follows: a control sum of what was paid in and out has only what was paid out. Who adds up a list before it is
# paid (docs/pay-many.md) meets it. Cut out the column of amounts, and take each plus away.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download num-utils=0.5-15 2>/dev/null
dpkg-deb -x num-utils_*.deb .
sum() {
  local lines=$1
  shift
  printf '%s = ' "$(printf '%b' "$lines" | paste -sd ';')${*:+ by $*}"
  printf '%b' "$lines" | perl usr/bin/numsum "$@" 2>&1
}
seen=$(sum '5\n-3\n4.5\n'
sum '+5\n-3\n+4\n'
sum 'alice 5\nbob 6\n'
sum '5 alice\n6 bob\n'
sum 'alice 5\nbob 6\n' -x 2
sum 'alice 5\nbob 6\n' -c -x 2
sum '1,000\n1\n'
sum '1e3\n1\n'
sum '5-\n1\n'
sum '1234567890123456.78\n')
wanted='5;-3;4.5 = 6.5
+5;-3;+4 = -3
alice 5;bob 6 = 0
5 alice;6 bob = 11
alice 5;bob 6 by -x 2 = 0
alice 5;bob 6 by -c -x 2 = 11
1,000;1 = 2
1e3;1 = 2
5-;1 = 6
1234567890123456.78 = 1.23456789012346e+15'
[ "$seen" = "$wanted" ] || { printf 'The sums were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: numsum adds up +5, -3 and +4 to -3, and alice 5 and bob 6 to 0"
