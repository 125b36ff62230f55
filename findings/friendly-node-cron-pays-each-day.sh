#!/usr/bin/env bash
# friendly-node-cron 1.4.1 from npm, which makes cron expressions of English sentences. croner 11.0.1 says when they
# run.
# Expected: its documentation has mondays as a word for the day, and quarterly, which "will run on every 3rd month of
# year". So "mondays at 9:30" is once a week, as "on mondays at 9:30" is, and "quarterly at 9:30" four times a year,
# as "yearly at 9:30" is once, on 1 January.
# Really: a day or a month is found only behind a space, so that a sentence that begins with mondays is each day, and
# one that begins with december each day of the year. quarterly sets the month and no day: it is each day of January,
# April, July and October. "workdays and saturdays" are workdays. Nothing is refused: what is no sentence at all is
# null.
# What follows: a payout that is due four times a year is made 123 times, and a weekly one 365 times. Begin sentences
# with "on", add a day to quarterly, and look at the expression.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts friendly-node-cron@1.4.1 croner@11.0.1 \
  >/dev/null
cat >"$dir/sentences.mjs" <<'JS'
import { Cron } from "croner";
import translate from "friendly-node-cron";
for (const sentence of ["on mondays at 9:30", "mondays at 9:30", "in december at 9:30", "december at 9:30",
  "yearly at 9:30", "quarterly at 9:30", "on workdays and saturdays at 9:30", "hello"]) {
  const expression = translate(sentence);
  const cron = expression && new Cron(expression, { timezone: "UTC" });
  const times = cron?.nextRuns(400, new Date("2026-12-31T23:00:00Z")).filter((time) => time.getUTCFullYear() === 2027);
  console.log(`${sentence}: ${expression}${times ? `, ${times.length} times` : ""}`);
}
JS
seen=$(cd "$dir" && node sentences.mjs)
wanted='on mondays at 9:30: 0 30 9 * * 1, 52 times
mondays at 9:30: 0 30 9 * * *, 365 times
in december at 9:30: 0 30 9 * 12 *, 31 times
december at 9:30: 0 30 9 * * *, 365 times
yearly at 9:30: 0 30 9 1 1 *, 1 times
quarterly at 9:30: 0 30 9 * */3 *, 123 times
on workdays and saturdays at 9:30: 0 30 9 * * 1-5, 261 times
hello: null'
[ "$seen" = "$wanted" ] || { printf 'The times were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: to friendly-node-cron, quarterly is 123 times a year, and mondays at 9:30 each day"
