#!/usr/bin/env bash
# @himenon/openapi-parameter-formatter 2.1.0 from npm, which writes parameters by their style, for clients that are made
# of an OpenAPI document, such as by @himenon/openapi-typescript-code-generator.
# Expected: as its documentation says, it writes by the styles of OpenAPI 3.1: 0 and false are 0 and false in each
# style, and a property of a deepObject is one name in brackets.
# Really: what counts as false in JavaScript counts as missing. In a query, dryRun=false and minimum=0 have no value,
# and a header or a part of a path with 0 is undefined, so that a path ends with that word. In lists in headers, 0 is
# left out, and of objects the value is. In the style matrix, no number is written at all. A key of a deepObject is cut
# at its dots: metadata[order.id] is metadata[order][id]. Nothing is said. true, 5 and keys without dots are right.
# What follows: a payment that should be made, not tried, depends on how the server reads dryRun=, and a list by
# metadata is one of other batches, or none. Keys of metadata may have dots here, and an empty dryRun is refused
# (openapi.json).
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  @himenon/openapi-parameter-formatter@2.1.0 >/dev/null
cat >write.mjs <<'JS'
import { HeaderParameter, PathParameter, QueryParameter } from "@himenon/openapi-parameter-formatter";

const write = (formatter, style, explode, ...values) => {
  const text = (value) => decodeURIComponent(formatter.generate("x", { value, style, explode }));
  console.log(`${style}: ${values.map((value) => `${JSON.stringify(value)} is ${text(value)}`).join("; ")}`);
};
write(QueryParameter, "form", true, 5, true, 0, false, [0, 1]);
write(HeaderParameter, "simple", false, 5, true, 0, false, [0, 1], { points: 0 });
write(PathParameter, "simple", false, 5, 0);
write(PathParameter, "matrix", false, "a", 5, 0);
write(QueryParameter, "deepObject", true, { campaign: "7" }, { "order.id": "7" });
JS
seen=$(node write.mjs)
wanted='form: 5 is x=5; true is x=true; 0 is x=; false is x=; [0,1] is x=0&x=1
simple: 5 is 5; true is true; 0 is undefined; false is undefined; [0,1] is 1; {"points":0} is points,
simple: 5 is 5; 0 is undefined
matrix: "a" is ;x=a; 5 is ;x; 0 is ;x
deepObject: {"campaign":"7"} is x[campaign]=7; {"order.id":"7"} is x[order][id]=7'
[ "$seen" = "$wanted" ] || { printf 'The parameters were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: openapi-parameter-formatter writes dryRun=false as dryRun="
