#!/usr/bin/env bash
# @hookflo/tern 4.1.0 from npm, which verifies webhooks of many senders. standardwebhooks 1.1.1 signs, and
# verifies beside it.
# Expected: a webhook that is signed as Standard Webhooks has it is valid by the configuration that tern's
# documentation gives for such senders, and by those of senders that it names so.
# Really: by the documented configuration none is valid, also not with the encoding base64 that its comment
# offers. That of Replicate works until the body has a $ before another $, an &, ' or `, as in {"note":"$$"}:
# the signed text is made by String.replace, to which these are patterns. $5 is right.
# What follows: an event whose metadata has "$$" is refused at each of its attempts, and all others pass, also
# the test event, which has no $. Verify with standardwebhooks, as webhooks.md shows.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts @hookflo/tern@4.1.0 \
  standardwebhooks@1.1.1 >/dev/null
cat >"$dir/verify.cjs" <<'JS'
const { WebhookVerificationService: tern } = require("@hookflo/tern");
const { Webhook } = require("standardwebhooks");

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const webhook = new Webhook(secret);
const documented = (more) => ({
  platform: "points",
  secret,
  signatureConfig: {
    algorithm: "hmac-sha256",
    headerName: "webhook-signature",
    headerFormat: "raw",
    timestampHeader: "webhook-timestamp",
    timestampFormat: "unix",
    payloadFormat: "custom",
    customConfig: { payloadFormat: "{id}.{timestamp}.{body}", idHeader: "webhook-id", ...more },
  },
});
(async () => {
  for (const note of ["five", "$5", "5 $", "$$", "$&", "5$'", "$`"]) {
    const body = JSON.stringify({ note });
    const at = new Date();
    const headers = {
      "webhook-id": "m1",
      "webhook-timestamp": String(Math.floor(at / 1000)),
      "webhook-signature": webhook.sign("m1", at, body),
    };
    webhook.verify(body, headers);
    const request = () => new Request("http://points.test/", { method: "POST", headers, body });
    const results = [
      await tern.verify(request(), documented()),
      await tern.verify(request(), documented({ encoding: "base64" })),
      await tern.verifyWithPlatformConfig(request(), "replicateai", secret),
    ];
    console.log(note, ...results.map(({ isValid }) => isValid));
  }
})();
JS
seen=$(cd "$dir" && node verify.cjs)
wanted='five false false true
$5 false false true
5 $ false false true
$$ false false false
$& false false false
5$'"'"' false false false
$` false false false'
[ "$seen" = "$wanted" ] || { printf 'The answers were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo 'ok: tern refuses a valid webhook with $$ in it'
