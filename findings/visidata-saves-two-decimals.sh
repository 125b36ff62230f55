#!/usr/bin/env bash
# VisiData 2.11 (Debian 12), in batch mode.
# Expected: a column that was made one of floats, so that it can be summed or sorted, is saved with its
# digits. The two decimals of the option disp_float_fmt are how the screen shows it.
# Really: CSV and TSV get what the screen shows: 1.005 is saved as 1.00, a wei as 0.00, and
# 12345678901234567890.12 as 12345678901234567168.00, since it is a double now. JSON has 1.005, and doubles as
# well. A column without a type is saved as it was read, also after it had one for a while.
# What follows: who sums or sorts a list of recipients and saves it has rounded each amount. Make the column
# one of texts again before it is saved.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download visidata=2.11-1 python3-dateutil python3-six python3-importlib-metadata python3-zipp \
  python3-more-itertools 2>/dev/null
for package in *.deb; do dpkg-deb -x "$package" .; done
export PYTHONPATH=$dir/usr/lib/python3/dist-packages HOME=$dir TERM=xterm
printf '%s\n' to,points alice,1.005 bob,0.000000000000000001 carol,12345678901234567890.12 dan,2.50 >list.csv
step() { printf '{"sheet": "list", "col": "points", "row": "", "longname": "%s", "input": ""}\n' "$1"; }
step type-float >typed.vdj
{ step type-float; step sort-desc; step type-string; } >untyped.vdj
save() {
  python3 usr/bin/vd -b list.csv ${2:+-p "$2.vdj"} -o "saved.$1" >/dev/null 2>&1
  tr '\t' ' ' <"saved.$1" | tr -d '\r' | paste -sd ' '
}
seen="$(save csv)
$(save csv typed)
$(save tsv typed)
$(save json typed | grep -o '"points": [^}]*' | cut -d ' ' -f 2 | paste -sd ' ')
$(save csv untyped)"
wanted='to,points alice,1.005 bob,0.000000000000000001 carol,12345678901234567890.12 dan,2.50
to,points alice,1.00 bob,0.00 carol,12345678901234567168.00 dan,2.50
to points alice 1.00 bob 0.00 carol 12345678901234567168.00 dan 2.50
1.005 1e-18 1.2345678901234567e+19 2.5
to,points carol,12345678901234567890.12 dan,2.50 alice,1.005 bob,0.000000000000000001'
[ "$seen" = "$wanted" ] || { printf 'The lists were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: VisiData saves two decimals of each amount"
