#!/usr/bin/env bash
# @uniswap/token-lists 1.0.0-beta.34 from npm: diffTokenLists, and minVersionBump, which says by how much a
# list's version must rise.
# Expected: as its documentation says, a patch when a token's details have changed, nothing when the list is
# the same, and a major version when a token is removed or has another address.
# Really: what a token no longer has is not looked at: without its logoURI, tags or extensions, the list is
# unchanged. And extensions that are an object are other ones each time a list is read, although they are
# equal. An address without the capitals of its checksum is the same address, but to these it is a token
# removed and one added. What is added or has another value is seen.
# What follows: a list with extensions is new at each reading, and a warning that was in a token's tags
# disappears without a version. Compare the parts that matter, and addresses in one form.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  @uniswap/token-lists@1.0.0-beta.34 >/dev/null
cat >"$dir/compare.cjs" <<'JS'
const { diffTokenLists, minVersionBump, VersionUpgrade } = require("@uniswap/token-lists");

const address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const list = (details) => [{ chainId: 1, address, name: "Points", symbol: "PTS", decimals: 18, ...details }];
const compare = (name, before, after) => {
  const { added, changed, removed } = diffTokenLists(list(before), list(after));
  const properties = Object.values(changed).flatMap((tokens) => Object.values(tokens)).flat();
  const bump = VersionUpgrade[minVersionBump(list(before), list(after))];
  console.log(name, `+${added.length} -${removed.length}`, JSON.stringify(properties), bump);
};
compare("same tags:", { tags: ["scam"] }, { tags: ["scam"] });
compare("same extensions:", { extensions: { site: "a" } }, { extensions: { site: "a" } });
compare("no logoURI:", { logoURI: "a" }, {});
compare("no tags:", { tags: ["scam"] }, {});
compare("no extensions:", { extensions: { site: "a" } }, {});
compare("a logoURI:", {}, { logoURI: "a" });
compare("other decimals:", {}, { decimals: 6 });
compare("lower case:", {}, { address: address.toLowerCase() });
JS
seen=$(cd "$dir" && node compare.cjs)
wanted='same tags: +0 -0 [] NONE
same extensions: +0 -0 ["extensions"] PATCH
no logoURI: +0 -0 [] NONE
no tags: +0 -0 [] NONE
no extensions: +0 -0 [] NONE
a logoURI: +0 -0 ["logoURI"] PATCH
other decimals: +0 -0 ["decimals"] PATCH
lower case: +1 -1 [] MAJOR'
[ "$seen" = "$wanted" ] || { printf 'The lists differ\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: token-lists sees no tag that was removed, and a change of equal extensions"
