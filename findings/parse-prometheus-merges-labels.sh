#!/usr/bin/env bash
# parse-prometheus-text-format 1.1.1 from npm, which makes objects of what a service shows to Prometheus.
# Expected: as its documentation says, what prom2json makes: of a histogram with the label `job`, one entry with its
# labels, buckets, sum and count for each job, as counters and gauges have one for each.
# Really: all series of a histogram become one. Its buckets are those of the last job, and it has no labels, no sum and
# no count, which are left out where they have labels. The same happens to a summary. Without labels, they are right,
# and so are labels of counters and gauges.
# What follows: of 100 payouts of which 10 were slow, a check that reads the histogram sees the two mails behind them.
# Read histograms with labels from Prometheus itself.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts parse-prometheus-text-format@1.1.1 >/dev/null
cat >"$dir/parse.cjs" <<'JS'
const parse = require("parse-prometheus-text-format");
const series = (label, fast, all) => {
  const job = (more) => [label, more].filter(Boolean).join();
  const labels = (more) => (job(more) ? `{${job(more)}}` : "");
  return [`lag_bucket${labels('le="1"')} ${fast}`, `lag_bucket${labels('le="+Inf"')} ${all}`, `lag_sum${labels()} ${all}`,
    `lag_count${labels()} ${all}`].join("\n");
};
const show = (text) => console.log(JSON.stringify(parse(`${text}\n`).map((metric) => metric.metrics)));
show(`# TYPE lag histogram\n${series("", 90, 100)}`);
show(`# TYPE lag histogram\n${series('job="pay"', 90, 100)}\n${series('job="mail"', 2, 2)}`);
show('# TYPE wait summary\nwait{job="pay",quantile="0.9"} 8\nwait_count{job="pay"} 100\nwait{job="mail",quantile="0.9"} 1');
show('# TYPE paid counter\npaid{job="pay"} 100\npaid{job="mail"} 2');
JS
seen=$(cd "$dir" && node parse.cjs)
wanted='[[{"buckets":{"1":"90","+Inf":"100"},"count":"100","sum":"100"}]]
[[{"buckets":{"1":"2","+Inf":"2"}}]]
[[{"quantiles":{"0.9":"1"}}]]
[[{"value":"100","labels":{"job":"pay"}},{"value":"2","labels":{"job":"mail"}}]]'
[ "$seen" = "$wanted" ] || { printf 'The metrics were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: parse-prometheus-text-format makes one histogram of two jobs"
