#!/usr/bin/env bash
# number-to-bn 1.7.0, @metamask/number-to-bn 1.7.1, ethjs-unit 0.1.6 and web3-utils 1.10.4 from npm.
# Expected: 1e18, as Solidity writes an ether in wei, is 10^18, or is refused, as by BigInt. The first one's
# documentation has whole numbers, and hexadecimal ones with 0x, and nothing else.
# Really: a text of hexadecimal digits that is no whole number is hexadecimal without 0x as well, and e is
# such a digit: 1e18 is 7704, and 12e3 is 4835. toBN and toHex of web3-utils do the same, and to both fromWei,
# 1e18 wei are 0.000000000000007704 ether. 1e+18 and 1.5e18 are refused, and so are all of these by toWei.
# What follows: who should get an ether gets dust, unless another row of the list has a point or a plus. Write
# wei with all digits. Our reader proposes 1000000000000000000 for 1e18, and a person decides.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts number-to-bn@1.7.0 \
  @metamask/number-to-bn@1.7.1 ethjs-unit@0.1.6 web3-utils@1.10.4 >/dev/null
cat >"$dir/read.cjs" <<'JS'
const metamask = require("@metamask/number-to-bn");
const { fromWei } = require("ethjs-unit");
const numberToBN = require("number-to-bn");
const utils = require("web3-utils");

const answer = (read) => {
  try {
    return String(read());
  } catch {
    return "refused";
  }
};
for (const text of ["1e18", "12e3", "-5E2", "1e+18", "1.5e18", "1000", "0x3e8"]) {
  const reads = [() => numberToBN(text), () => metamask(text), () => utils.toBN(text),
    () => utils.toHex(text), () => fromWei(text, "ether"), () => utils.fromWei(text), () => utils.toWei(text),
    () => BigInt(text)];
  console.log(text, ...reads.map(answer));
}
JS
seen=$(cd "$dir" && node read.cjs)
wanted='1e18 7704 7704 7704 0x1e18 0.000000000000007704 0.000000000000007704 refused refused
12e3 4835 4835 4835 0x12e3 0.000000000000004835 0.000000000000004835 refused refused
-5E2 -1506 -1506 -1506 -0x5e2 -0.000000000000001506 -0.000000000000001506 refused refused
1e+18 refused refused refused refused refused refused refused refused
1.5e18 refused refused refused refused refused refused refused refused
1000 1000 1000 1000 0x3e8 0.000000000000001 0.000000000000001 1000000000000000000000 1000
0x3e8 1000 1000 1000 0x3e8 0.000000000000001 0.000000000000001 refused 1000'
[ "$seen" = "$wanted" ] || { printf 'The numbers were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: to number-to-bn and web3-utils, 1e18 is 7704"
