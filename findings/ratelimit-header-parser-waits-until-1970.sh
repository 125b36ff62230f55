#!/usr/bin/env bash
# ratelimit-header-parser 0.1.0 from npm, parseRateLimit, under Node 20.
# Expected: `reset` is when requests are allowed again, "Date or undefined". Where there is no header for the reset,
# it looks at Retry-After, which is a number of seconds or a date: after an answer of 12:00:00 with Retry-After: 30,
# that is 12:00:30.
# Really: Retry-After is taken for seconds since 1970, so 30 is 1970-01-01T00:00:30, and a date is an invalid one.
# With a header for the reset, seconds, times and dates are right. Of a RateLimit header, the form of draft 7 is read,
# and Retry-After not looked at: in the form since draft 8, "limit";r=0;t=30, what is left is NaN, and the reset
# invalid.
# What follows: the reset is long over, so a client that waits until then repeats its payments without a pause, and so
# does one that waits for NaN milliseconds. This service's RateLimit (server/auth/limits.ts) has the newer form, and
# the seconds are in Retry-After, to be read by itself.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts ratelimit-header-parser@0.1.0 >/dev/null
cat >"$dir/read.mjs" <<'JS'
import { parseRateLimit } from "ratelimit-header-parser";
const later = (seconds) => new Date(Math.floor(Date.now() / 1000 + seconds) * 1000);
const limits = { "X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "0" };
for (const headers of [
  { ...limits, "Retry-After": "30" },
  { ...limits, "Retry-After": later(30).toUTCString() },
  { ...limits, "X-RateLimit-Reset": "30" },
  { ...limits, "X-RateLimit-Reset": String(later(30).getTime() / 1000) },
  { ...limits, "X-RateLimit-Reset": later(30).toUTCString() },
  { RateLimit: "limit=60, remaining=0, reset=30" },
  { RateLimit: '"api";r=0;t=30', "RateLimit-Policy": '"api";q=60;w=60', "Retry-After": "30" },
]) {
  const { remaining, reset } = parseRateLimit(new Headers(headers));
  const wait = Math.round((reset - Date.now()) / 10_000) * 10;
  const when = wait === 30 ? "in 30 seconds" : Number.isNaN(wait) ? String(reset) : reset.toISOString();
  const [last] = Object.keys(headers).slice(-1);
  console.log(`${last} ${/GMT|^\d{10}$/.test(headers[last]) ? "as a time" : headers[last]}: ${remaining} left, ${when}`);
}
JS
seen=$(cd "$dir" && node read.mjs)
wanted='Retry-After 30: 0 left, 1970-01-01T00:00:30.000Z
Retry-After as a time: 0 left, Invalid Date
X-RateLimit-Reset 30: 0 left, in 30 seconds
X-RateLimit-Reset as a time: 0 left, in 30 seconds
X-RateLimit-Reset as a time: 0 left, in 30 seconds
RateLimit limit=60, remaining=0, reset=30: 0 left, in 30 seconds
Retry-After 30: NaN left, Invalid Date'
[ "$seen" = "$wanted" ] || { printf 'The limits were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: ratelimit-header-parser takes Retry-After: 30 for half a minute after 1970 began"
