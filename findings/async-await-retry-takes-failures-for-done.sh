#!/usr/bin/env bash
# async-await-retry 2.1.0 from npm, which calls a function again until it succeeds.
# Expected: what failed for good is rejected, as its documentation catches it: "The function execution failed !". Its
# option onAttemptFail is shown with a comment that says "like logging errors", within the same try and catch, and where
# it returns a falsy value, "the retry system stop". The option retriesMax is the number of retries, so 0 is none.
# Really: where it stops so, the call resolves with undefined. So with the example of the documentation, a payment that
# was refused at its only try looks like one whose bank answered nothing, and the catch is never reached. With true, it
# tries again and is rejected in the end. retriesMax counts all tries, so that 1 is no retry, and 0 counts as missing,
# which is 3.
# What follows: once somebody logs failures, all payments that failed are noted as paid. And who sets 0 so that nothing
# is paid twice has each paid up to three times, where the answer got lost. Return true, and throw at the last try. This
# service's client repeats with the same key (docs/retries.md).
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts async-await-retry@2.1.0 >/dev/null
cat >pay.cjs <<'JS'
const retry = require("async-await-retry");

const pay = async (name, options) => {
  let tries = 0;
  const refuse = async () => {
    tries++;
    throw new Error("the bank is away");
  };
  let end;
  try {
    end = `resolved with ${await retry(refuse, [], options)}`;
  } catch (error) {
    end = `rejected, as ${error.message}`;
  }
  console.log(`${name}: ${tries} tries, ${end}`);
};
(async () => {
  const logged = [];
  await pay("by default", {});
  await pay("logging", { onAttemptFail: ({ error }) => { logged.push(error.message); } });
  await pay("logging, and true", { onAttemptFail: ({ error }) => logged.push(error.message) > 0 });
  await pay("retriesMax 1", { retriesMax: 1 });
  await pay("retriesMax 0", { retriesMax: 0 });
})();
JS
seen=$(node pay.cjs)
wanted='by default: 3 tries, rejected, as the bank is away
logging: 1 tries, resolved with undefined
logging, and true: 3 tries, rejected, as the bank is away
retriesMax 1: 1 tries, rejected, as the bank is away
retriesMax 0: 3 tries, rejected, as the bank is away'
[ "$seen" = "$wanted" ] || { printf 'The payments ended\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: async-await-retry resolves what failed, once failures are logged"
