#!/usr/bin/env bash
# prometheus-query 3.5.1 from npm, asking Prometheus 2.42.0 (Debian 12).
# Expected: +Inf and -Inf, which Prometheus writes for a quotient by 0, are Infinity and -Infinity, and only
# NaN is NaN.
# Really: all three are NaN, at an instant as over a range: the text is given to parseFloat, which knows
# Infinity only by its whole name. Other values are right.
# What follows: failed deliveries divided by successful ones, 5 / 0, are over each limit to Prometheus, and
# under it to a program that asks with this, as NaN > 0.05 is false. The rules in alerts.yaml are evaluated by
# Prometheus itself, and divide by all requests.
set -euo pipefail

dir=$(mktemp -d)
server=
trap 'kill $server 2>/dev/null; wait; rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts prometheus-query@3.5.1 >/dev/null
cd "$dir"
apt-get -qq download prometheus=2.42.0+ds-5+deb12u1 2>/dev/null
dpkg-deb -x prometheus_*.deb .
echo '{}' >empty.yml
at=127.0.0.1:25614
usr/bin/prometheus --config.file=empty.yml --storage.tsdb.path=data --web.listen-address=$at 2>log &
server=$!
curl -fsS --retry 30 --retry-all-errors --retry-delay 1 -o ready "http://$at/-/ready" 2>/dev/null
cat >ask.cjs <<'JS'
const { PrometheusDriver } = require("prometheus-query");

const at = process.argv[2];
const driver = new PrometheusDriver({ endpoint: `http://${at}` });
const time = 1_800_000_000;
(async () => {
  for (const query of ["5 / 0", "-5 / 0", "0 / 0", "5 / 10", "5e5 * 2"]) {
    const asked = `vector(${query})`;
    const reply = await fetch(`http://${at}/api/v1/query?time=${time}&query=${encodeURIComponent(asked)}`);
    const written = (await reply.json()).data.result[0].value[1];
    const { value } = (await driver.instantQuery(asked, time * 1000)).result[0].value;
    const [series] = (await driver.rangeQuery(asked, time * 1000, (time + 1) * 1000, 1)).result;
    console.log(query, written, value, value > 0.05, series.values.map((sample) => sample.value).join());
  }
})();
JS
seen=$(node ask.cjs $at)
wanted='5 / 0 +Inf NaN false NaN,NaN
-5 / 0 -Inf NaN false NaN,NaN
0 / 0 NaN NaN false NaN,NaN
5 / 10 0.5 0.5 true 0.5,0.5
5e5 * 2 1000000 1000000 true 1000000,1000000'
[ "$seen" = "$wanted" ] || { printf 'The values were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: prometheus-query makes NaN of +Inf"
