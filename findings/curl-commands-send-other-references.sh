#!/usr/bin/env bash
# Packages from npm that write a request as a curl command, for a log or to be repeated by hand: axios-curlirize 2.0.0
# with axios 1.12.2, curl-generator 0.5.0, express-curl 1.0.1 and fetch-to-curl 0.6.0.
# Expected: as express-curl's documentation says, it is "the equivalent curl command", which is "for replicating
# requests": in a shell, it sends the same body with the same headers.
# Really: axios-curlirize and express-curl put the body between apostrophes as it is, so that each apostrophe in it is
# lost: O'Brien's is OBriens. axios-curlirize makes one space of several, in the body as well. curl-generator writes
# backslashes before backslashes and apostrophes, which mean nothing there: a line break in a note is a backslash and an
# n, a quote makes no JSON of the body, and an apostrophe no command. axios-curlirize and fetch-to-curl put headers
# between quotes, where a shell takes $5 away: the Idempotency-Key pay-$5 is pay-. Nothing is said. Without these signs
# all are right, so a test shows nothing. fetch-to-curl has bodies right, and express-curl headers.
# What follows: who repeats a payment from the log pays another reference or by another key, so that it is paid twice.
# Take the command from a browser, or write bodies to a file. No code of ours is concerned: who logs requests to this
# API so meets it, as references have quotes, spaces and apostrophes (openapi.json).
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts axios-curlirize@2.0.0 axios@1.12.2 \
  curl-generator@0.5.0 express-curl@1.0.1 fetch-to-curl@0.6.0 >/dev/null
# Instead of curl: prints the key and the body that it was to send.
mkdir bin
cat >bin/curl <<'BASH'
#!/usr/bin/env bash
for argument in "$@"; do
  case $argument in
    *dempotency-*) printf '%s ' "${argument#*:}" ;;
    {*) printf '%s' "$argument" ;;
  esac
done
BASH
chmod +x bin/curl
cat >write.mjs <<'JS'
import { execFileSync } from "node:child_process";
import axios from "axios";
import curlirize from "axios-curlirize";
import { CurlGenerator } from "curl-generator";
import expressCurl from "express-curl";
import { fetchToCurl } from "fetch-to-curl";

const url = "http://points.test/payments";
const client = axios.create({ adapter: async (config) => ({ data: {}, status: 200, headers: {}, config }) });
curlirize(client, () => {});
const writers = {
  "axios-curlirize": async (data, headers) => (await client.post(url, data, { headers })).config.curlCommand,
  "curl-generator": (body, headers) => CurlGenerator({ url, method: "POST", headers, body }),
  "express-curl": (body, headers) => {
    const lines = [];
    const { log } = console;
    console.log = (line) => lines.push(line);
    const all = { host: "points.test", "content-type": "application/json", ...headers };
    expressCurl({ protocol: "http", headers: all, originalUrl: "/payments", method: "POST", body }, {}, () => {});
    console.log = log;
    return lines[0];
  },
  "fetch-to-curl": (body, headers) => fetchToCurl(url, { method: "POST", headers, body: JSON.stringify(body) }),
};
const references = ["season-3", "O'Brien's", "row  7", "a\nb", '"L"'];
const sent = [...references.map((reference) => [reference, "1"]), ["season-3", "pay-$5"]];
for (const [name, write] of Object.entries(writers)) {
  console.log(name);
  for (const [reference, key] of sent) {
    const command = await write({ reference }, { "idempotency-key": key });
    const env = { PATH: `${process.cwd()}/bin:${process.env.PATH}` };
    let got = "no command";
    try {
      got = execFileSync("sh", ["-c", command], { env, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    } catch {}
    console.log(`  ${JSON.stringify(reference)} by ${key}: ${got.trim()}`);
  }
}
JS
seen=$(node write.mjs)
# shellcheck disable=SC2016 # no expression of the shell
wanted='axios-curlirize
  "season-3" by 1: 1 {"reference":"season-3"}
  "O'\''Brien'\''s" by 1: 1 {"reference":"OBriens"}
  "row  7" by 1: 1 {"reference":"row 7"}
  "a\nb" by 1: 1 {"reference":"a\nb"}
  "\"L\"" by 1: 1 {"reference":"\"L\""}
  "season-3" by pay-$5: pay- {"reference":"season-3"}
curl-generator
  "season-3" by 1: 1 {"reference":"season-3"}
  "O'\''Brien'\''s" by 1: no command
  "row  7" by 1: 1 {"reference":"row  7"}
  "a\nb" by 1: 1 {"reference":"a\\nb"}
  "\"L\"" by 1: 1 {"reference":"\\"L\\""}
  "season-3" by pay-$5: pay-$5 {"reference":"season-3"}
express-curl
  "season-3" by 1: 1 {"reference":"season-3"}
  "O'\''Brien'\''s" by 1: 1 {"reference":"OBriens"}
  "row  7" by 1: 1 {"reference":"row  7"}
  "a\nb" by 1: 1 {"reference":"a\nb"}
  "\"L\"" by 1: 1 {"reference":"\"L\""}
  "season-3" by pay-$5: pay-$5 {"reference":"season-3"}
fetch-to-curl
  "season-3" by 1: 1 {"reference":"season-3"}
  "O'\''Brien'\''s" by 1: 1 {"reference":"O'\''Brien'\''s"}
  "row  7" by 1: 1 {"reference":"row  7"}
  "a\nb" by 1: 1 {"reference":"a\nb"}
  "\"L\"" by 1: 1 {"reference":"\"L\""}
  "season-3" by pay-$5: pay- {"reference":"season-3"}'
[ "$seen" = "$wanted" ] || { printf 'They sent\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: axios-curlirize and express-curl write O'Brien's as OBriens, and fetch-to-curl the key pay-\$5 as pay-"
