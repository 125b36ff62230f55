#!/usr/bin/env bash
# simple-rrule 1.8.1 from npm, which expands recurrence rules (RFC 5545), with zod 4.6.7. rrule 2.8.1 beside it.
# Expected: as its documentation lists what is supported, "MONTHLY: Every N months" and "YEARLY: Every N years". By the
# RFC, UNTIL is the last moment that may be one, and a day that a month does not have is left out.
# Really: INTERVAL is not looked at for months and years, so each third month is each month, and each second year each
# year. UNTIL ends five minutes early, or as long before as the event lasts, so the last one is missing where UNTIL has
# its time. The 31st is the last day of each month, and of -1, the last day, the day of the start is made. Nothing is
# said. Weeks, also with INTERVAL, and COUNT are right, and so is a day that each month has.
# What follows: what is due each quarter is paid three times as often, and a row of payments ends one too early. Compare
# the days with those of another program. Each batch here has a time of its own (finalizeAt in docs/api.md).
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts simple-rrule@1.8.1 zod@4.6.7 rrule@2.8.1 \
  >/dev/null
cat >"$dir/rules.mjs" <<'JS'
import rrule from "rrule";
import { expandRRuleFromString } from "simple-rrule";
const FROM = new Date("2026-01-01T00:00:00Z");
const TO = new Date("2028-12-31T23:59:59Z");
const rules = ["FREQ=MONTHLY;INTERVAL=3;COUNT=4", "FREQ=YEARLY;INTERVAL=2", "FREQ=WEEKLY;UNTIL=20260121T090000Z",
  "FREQ=MONTHLY;BYMONTHDAY=31;COUNT=4", "FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=4",
  "FREQ=MONTHLY;BYMONTHDAY=15;COUNT=4", "FREQ=WEEKLY;INTERVAL=2;COUNT=4"];
for (const rule of rules) {
  const text = `DTSTART:20260107T090000Z\nRRULE:${rule}`;
  const days = [expandRRuleFromString(text, FROM, TO).events.map(({ date }) => date),
    rrule.rrulestr(text).between(FROM, TO, true)].map((dates) => dates.map((date) => date.toISOString().slice(2, 10)));
  console.log(`${rule}: ${days.map((list) => list.join(" ")).join("; ")}`);
}
JS
seen=$(cd "$dir" && TZ=UTC node rules.mjs)
wanted='FREQ=MONTHLY;INTERVAL=3;COUNT=4: 26-01-07 26-02-07 26-03-07 26-04-07; 26-01-07 26-04-07 26-07-07 26-10-07
FREQ=YEARLY;INTERVAL=2: 26-01-07 27-01-07 28-01-07; 26-01-07 28-01-07
FREQ=WEEKLY;UNTIL=20260121T090000Z: 26-01-07 26-01-14; 26-01-07 26-01-14 26-01-21
FREQ=MONTHLY;BYMONTHDAY=31;COUNT=4: 26-01-31 26-02-28 26-03-31 26-04-30; 26-01-31 26-03-31 26-05-31 26-07-31
FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=4: 26-01-07 26-02-07 26-03-07 26-04-07; 26-01-31 26-02-28 26-03-31 26-04-30
FREQ=MONTHLY;BYMONTHDAY=15;COUNT=4: 26-01-15 26-02-15 26-03-15 26-04-15; 26-01-15 26-02-15 26-03-15 26-04-15
FREQ=WEEKLY;INTERVAL=2;COUNT=4: 26-01-07 26-01-21 26-02-04 26-02-18; 26-01-07 26-01-21 26-02-04 26-02-18'
[ "$seen" = "$wanted" ] || { printf 'The days were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: simple-rrule has what is due each quarter in each month, and leaves out the last day of UNTIL"
