#!/usr/bin/env bash
# systemd-cron 1.15.19 (Debian 12), which makes timers of systemd from crontabs.
# Expected: what the crontab(5) that it comes with says: 1,15 with 5 is the 1st and 15th of each month, plus
# every Friday. Days of the week are 0 to 7, and months also have names of three letters.
# Really: with both kinds of days, both must match: it runs when a 1st or 15th is a Friday, on two days of
# 2026. 5-7, Friday to Sunday, is every day, and 0-7 only Sunday, as 7 becomes 0 even at the end of a range.
# Its list of months has no October: nov is October, dec is November, and a line with oct has no timer. Only
# of 5-7 and oct the journal says "garbled time". Months as numbers, 6,7 and sun are right.
# What follows: a payout of December is made in November, or on days that nobody named. Write months as
# numbers, a list instead of a range, and a line for each kind of days. deploy.md has only stars.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get -qq download systemd-cron=1.15.19-5 2>/dev/null
dpkg-deb -x systemd-cron_*.deb .
printf '%s root /bin/pay\n' '30 4 1,15 * 5' '0 9 * * 5-7' '0 9 * * 0-7' '0 9 * * 6,7' '0 9 * * sun' \
  '0 9 1 sep *' '0 9 1 oct *' '0 9 1 nov *' '0 9 1 dec *' '0 9 1 10,11,12 *' >points
cat >timers.py <<'PY'
import sys
from importlib.machinery import SourceFileLoader

script = "lib/systemd/system-generators/systemd-crontab-generator"
generator = SourceFileLoader("generator", script).load_module()
generator.TARGET_DIR = generator.TIMERS_DIR = sys.argv[1]
numbers = generator.count()
for job in generator.parse_crontab("points"):
    generator.generate_timer_unit(job, seq=numbers)
PY
mkdir timers
python3 -W ignore timers.py "$dir/timers" 2>said
seen="$(for timer in $(ls -v timers/*.timer); do
  sed -n 's/^Description=.* "\(.*\) root .*/\1 =>/p; s/^OnCalendar= *//p' "$timer" | paste -sd ' '
done)
$(grep -o 'garbled time.*' said | sed 's/ in points//')"
wanted='30 4 1,15 * 5 => Fri *-*-1,15 4:30:00
0 9 * * 5-7 => *-*-* 9:0:00
0 9 * * 0-7 => Sun *-*-* 9:0:00
0 9 * * 6,7 => Sun,Sat *-*-* 9:0:00
0 9 * * sun => Sun *-*-* 9:0:00
0 9 1 sep * => *-9-1 9:0:00
0 9 1 nov * => *-10-1 9:0:00
0 9 1 dec * => *-11-1 9:0:00
0 9 1 10,11,12 * => *-10,11,12-1 9:0:00
garbled time [0 9 * * 5-7 root /bin/pay]: 5-7
garbled time [0 9 1 oct * root /bin/pay]: oct'
[ "$seen" = "$wanted" ] || { printf 'The timers were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: systemd-cron takes December for November, and Friday to Sunday for every day"
