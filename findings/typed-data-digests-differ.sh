#!/usr/bin/env bash
# What is signed of typed data (EIP-712), from npm: @metamask/eth-sig-util 8.2.0, ox 1.8.3, ethers-eip712 0.2.0,
# viem 2.57.20 and ethers 6.17.0.
# Expected: one digest for the same domain, types and message, or a refusal. A type's text has each type that it uses
# once, and names are identifiers as in Solidity, which may have a $.
# Really: where two types of a message use a third one, ethers-eip712 writes that one twice. To ox and eth-sig-util,
# which MetaMask signs with, a name ends before a $, so that such a type is not found, and left out of the text of
# those that use it. ethers and viem, which is by ox's authors, include it. Nothing is refused, and without a shared
# type or a $ all five agree.
# What follows: a signature of a batch of transfers that is right recovers another address, on chain or off it, and
# nothing says why. People sign plain texts to sign in here, not typed data.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps ethers@5.8.0 \
  viem@2.57.20 ox@1.8.3 @metamask/eth-sig-util@8.2.0 ethers-eip712@0.2.0 ethers6@npm:ethers@6.17.0 >/dev/null
cat >"$dir/hash.mjs" <<'JS'
import eip712 from "ethers-eip712";
import metamask from "@metamask/eth-sig-util";
import { TypedDataEncoder } from "ethers6";
import { TypedData } from "ox";
import { hashTypedData } from "viem";
const hex = (bytes) => (typeof bytes === "string" ? bytes : `0x${Buffer.from(bytes).toString("hex")}`);
const digests = {
  viem: hashTypedData,
  ethers: ({ domain, types: { EIP712Domain, ...types }, message }) => TypedDataEncoder.hash(domain, types, message),
  ox: TypedData.getSignPayload,
  metamask: (data) => metamask.TypedDataUtils.eip712Hash(data, "V4"),
  "ethers-eip712": (data) => eip712.TypedDataUtils.encodeDigest(data),
};
const pay = (points) => ({ to: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", points });
const types = (name) => ({
  EIP712Domain: [{ name: "name", type: "string" }],
  [name]: [{ name: "to", type: "address" }, { name: "points", type: "uint256" }],
  One: [{ name: "pay", type: name }],
});
const shared = {
  ...types("Pay"),
  Other: [{ name: "pay", type: "Pay" }],
  Both: [{ name: "one", type: "One" }, { name: "other", type: "Other" }],
};
const one = { pay: pay("5") };
for (const [primaryType, all, message] of [["One", types("Pay"), one],
  ["Both", shared, { one, other: { pay: pay("6") } }], ["One", types("$Pay"), one]]) {
  const data = { domain: { name: "Points" }, types: all, primaryType, message };
  const isOther = ([, digest]) => hex(digest(structuredClone(data))) !== hashTypedData(data);
  const others = Object.entries(digests).filter(isOther);
  console.log(Object.keys(all).slice(1).join(), others.map(([name]) => name).join(" and ") || "none");
}
JS
seen=$(cd "$dir" && node hash.mjs)
wanted="Pay,One none
Pay,One,Other,Both ethers-eip712
\$Pay,One ox and metamask"
[ "$seen" = "$wanted" ] || { printf 'Others than viem had\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: digests of typed data differ where types share one, and where a name has a dollar sign"
