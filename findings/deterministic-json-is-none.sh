#!/usr/bin/env bash
# Writers of JSON in one order, for digests and signatures, from npm: json-canon 1.0.1, quick-stable-stringify 0.1.8
# and another-json 0.2.0. canonicalize 2.1.0 (RFC 8785) beside them.
# Expected: JSON that JSON.parse reads again, as JSON.stringify's is: a property that is undefined is left out, and
# what must be escaped in texts is escaped in names as well.
# Really: json-canon leaves the comma of an undefined property that is the first by name: {"a": undefined, "b": 1} is
# {,"b":1}. Another place is right. quick-stable-stringify escapes nothing in names: a quote or a line break in one
# makes no JSON of it, and a backslash another name. another-json, which refuses undefined, writes control signs as
# \U001F. JSON has a small u. Texts with quotes and line breaks are right in all.
# What follows: what was signed cannot be read, or is not what another signer signs, once a row has no `amount` or
# somebody's metadata has a quote in a name. Send and sign the same bytes, as this service's webhooks do.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts json-canon@1.0.1 \
  quick-stable-stringify@0.1.8 another-json@0.2.0 canonicalize@2.1.0 >/dev/null
cat >"$dir/write.cjs" <<'JS'
const writers = [require("json-canon"), require("quick-stable-stringify"), require("another-json").stringify,
  require("canonicalize")];
const write = (writer, value) => {
  try {
    return JSON.stringify(JSON.parse(writer(value))) === JSON.stringify(value) ? "same" : writer(value);
  } catch {
    try { return writer(value); } catch { return "refused"; }
  }
};
for (const value of [{ amount: undefined, to: "alice" }, { amount: "5", to: undefined }, { 'the "gold" one': 1 },
  { "a\\b": 1 }, { note: "unit\u001fseparator" }, { note: 'say "hi"\n' }])
  console.log(JSON.stringify(value), ...writers.map((writer) => write(writer, value)));
JS
seen=$(cd "$dir" && node write.cjs)
wanted='{"to":"alice"} {,"to":"alice"} same refused same
{"amount":"5"} same same refused same
{"the \"gold\" one":1} same {"the "gold" one":1} same same
{"a\\b":1} same {"a\b":1} same same
{"note":"unit\u001fseparator"} same same {"note":"unit\U001Fseparator"} same
{"note":"say \"hi\"\n"} same same same same'
[ "$seen" = "$wanted" ] || { printf 'The texts were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: of three deterministic writers of JSON, each writes something that is none"
