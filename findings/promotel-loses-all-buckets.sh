#!/usr/bin/env bash
# @platformatic/promotel 0.2.2 from npm, which converts Prometheus' metrics to OpenTelemetry's.
# Expected: as its documentation says, "Complete Metric Support: Counters, gauges, histograms, and summaries". A name
# with _count or _sum is a histogram's only if its TYPE says so, and a label may have each character.
# Really: all buckets of a histogram become one without bounds, of all observations. A gauge whose name ends with _count
# or _sum becomes a histogram under another name: queue_count 3 is queue with 3 observations. Samples whose labels have
# a closing brace, as templates of routes have, are left out, and so are those that are NaN or infinite. Nothing is
# said. Counters, other gauges, summaries, and sums and counts of histograms are right.
# What follows: all percentiles are gone, so an alert on slow answers never comes, and one route's failures are in no
# sum. docs/alerts.yaml has such an alert, on ptb_http_request_duration_seconds_bucket. Give Prometheus the metrics, or
# use a collector that reads them itself.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts @platformatic/promotel@0.2.2 >/dev/null
cat >"$dir/convert.mjs" <<'JS'
import { convert, parse } from "@platformatic/promotel";

const text = `# TYPE wait_seconds histogram
wait_seconds_bucket{le="0.1"} 1
wait_seconds_bucket{le="1"} 3
wait_seconds_bucket{le="+Inf"} 4
wait_seconds_sum 5.5
wait_seconds_count 4
# TYPE queue_count gauge
queue_count 3
# TYPE paid_total counter
paid_total{route="/batches"} 5
paid_total{route="/batches/{id}"} 6
# TYPE age_seconds gauge
age_seconds{of="backup"} 7
age_seconds{of="never"} +Inf
# TYPE size summary
size{quantile="0.5"} 0.2
size_sum 10
size_count 20
`;
const { metrics } = convert(parse(text)).resource_metrics[0].scope_metrics[0];
for (const metric of metrics)
  for (const kind of ["sum", "gauge", "histogram", "summary"])
    for (const { attributes, time_unix_nano: time, ...point } of metric[kind]?.data_points ?? [])
      console.log(metric.name, kind, ...attributes.map(({ value }) => value.string_value), JSON.stringify(point));
JS
seen=$(cd "$dir" && node convert.mjs)
wanted='wait_seconds histogram {"count":4,"sum":5.5,"bucket_counts":[4],"explicit_bounds":[]}
queue histogram {"count":3,"sum":0,"bucket_counts":[],"explicit_bounds":[]}
paid_total sum /batches {"as_double":5}
age_seconds gauge backup {"as_double":7}
size summary {"count":20,"sum":10,"quantile_values":[{"quantile":0.5,"value":0.2}]}'
[ "$seen" = "$wanted" ] || { printf 'The metrics were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: promotel makes one bucket of all buckets, and leaves out a route with {id}"
