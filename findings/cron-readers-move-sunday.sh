#!/usr/bin/env bash
# Readers of cron expressions from npm: @breejs/later 4.2.0 (of Bree), @sapphire/cron 1.2.1,
# @datasert/cronjs-matcher 1.4.0; croner 11.0.1 and cron-parser 5.10.6 beside them.
# Expected: crontab(5) has Sunday as 0 and as 7. So 7,1 is Sunday and Monday, and 5-7 is Friday to Sunday.
# Really: to later, 7 is Saturday, though 0 and sun are Sunday. To @sapphire/cron, 7 is no day, and the
# days beside it stay. @datasert/cronjs-matcher knows 7, but to it 5-7 ends on Saturday. Nothing is refused.
# What follows: a payout "every Sunday" runs on Saturdays, or one of three is missing. Write 0 or sun, and a
# list instead of a range.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts @breejs/later@4.2.0 \
  @sapphire/cron@1.2.1 @datasert/cronjs-matcher@1.4.0 croner@11.0.1 cron-parser@5.10.6 >/dev/null
cat >days.cjs <<'JS'
const later = require("@breejs/later");
const { getFutureMatches } = require("@datasert/cronjs-matcher");
const { Cron: Sapphire } = require("@sapphire/cron");
const { CronExpressionParser } = require("cron-parser");
const { Cron } = require("croner");

const MONDAY = new Date("2026-01-05T00:30:00Z");
const timezone = "UTC";
const COUNT = 7;
const readers = {
  croner: (text) => new Cron(text, { timezone }).nextRuns(COUNT, MONDAY),
  "cron-parser": (text) => {
    const times = CronExpressionParser.parse(text, { currentDate: MONDAY, tz: timezone });
    return Array.from({ length: COUNT }, () => times.next().toDate());
  },
  later: (text) => later.schedule(later.parse.cron(text)).next(COUNT, MONDAY),
  sapphire: (text) => {
    const cron = new Sapphire(text);
    const times = [MONDAY];
    while (times.length <= COUNT) times.push(cron.next(times.at(-1)));
    return times.slice(1);
  },
  datasert: (text) => getFutureMatches(text, { startAt: MONDAY.toISOString(), matchCount: COUNT, timezone }),
};
const NAMES = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
for (const [name, read] of Object.entries(readers)) {
  const said = ["sun", "7,1", "5,6,7", "5-7"].map((days) => {
    const names = read(`0 0 * * ${days}`).map((time) => NAMES[new Date(time).getUTCDay()]);
    return [...new Set(names)].join(" ");
  });
  console.log(`${name}: ${said.join(", ")}`);
}
JS
seen=$(TZ=UTC node days.cjs)
wanted='croner: Sun, Sun Mon, Fri Sat Sun, Fri Sat Sun
cron-parser: Sun, Sun Mon, Fri Sat Sun, Fri Sat Sun
later: Sun, Sat Mon, Fri Sat, Fri Sat
sapphire: Sun, Mon, Fri Sat, Fri Sat
datasert: Sun, Sun Mon, Fri Sat Sun, Fri Sat'
[ "$seen" = "$wanted" ] || { printf 'The days were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: three readers of cron expressions take Sunday as 7 for Saturday, or leave it out"
