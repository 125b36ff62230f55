#!/usr/bin/env bash
# structured-headers 2.1.0 from npm, for HTTP headers by RFC 9651, such as RateLimit. structured-field-values 2.0.4
# beside it.
# Expected: a number with more than three decimals is rounded to three, and to the even one from halfway, as the RFC
# has it: 2.0004 is 2.0, and 0.0025 is 0.002. What is written can be read.
# Really: zeros at the end are taken away, all of them: 2.0004 is "2.", which is no decimal in the RFC, nor to its own
# parser, "Decimal cannot end on a period". By the RFC, a header that cannot be read is ignored, so the other members
# of it are lost, too. 0.0025 is 0.003. Numbers that are not nearly whole, and whole ones, are right. Nothing is said.
# What follows: a factor of 1.25 arrives, and with one of 2.0004, or 0.1 + 0.2 - 0.3, which is 5.6e-17, the whole
# header is gone. Round to three decimals before. The headers of this service have whole numbers only
# (server/auth/limits.ts).
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts structured-headers@2.1.0 \
  structured-field-values@2.0.4 >/dev/null
cat >"$dir/headers.mjs" <<'JS'
import * as other from "structured-field-values";
import { parseDictionary, serializeDictionary } from "structured-headers";
for (const factor of [1.25, 2, 2.0004, 9.9999, -1.0001, 0.1 + 0.2 - 0.3, 0.0025]) {
  const text = serializeDictionary({ batch: 7, factor });
  let read;
  try {
    read = [...parseDictionary(text)].map(([name, [value]]) => `${name} ${value}`).join(", ");
  } catch ({ message }) {
    read = message;
  }
  console.log(`${factor}: ${text} is ${read}; ${other.encodeDict({ batch: 7, factor })}`);
}
JS
seen=$(cd "$dir" && node headers.mjs)
wanted='1.25: batch=7, factor=1.25 is batch 7, factor 1.25; batch=7, factor=1.25
2: batch=7, factor=2 is batch 7, factor 2; batch=7, factor=2
2.0004: batch=7, factor=2. is Parse error: Decimal cannot end on a period at offset 18; batch=7, factor=2.0
9.9999: batch=7, factor=10. is Parse error: Decimal cannot end on a period at offset 19; batch=7, factor=10.0
-1.0001: batch=7, factor=-1. is Parse error: Decimal cannot end on a period at offset 19; batch=7, factor=-1.0
5.551115123125783e-17: batch=7, factor=0. is Parse error: Decimal cannot end on a period at offset 18; batch=7, factor=0.0
0.0025: batch=7, factor=0.003 is batch 7, factor 0.003; batch=7, factor=0.002'
[ "$seen" = "$wanted" ] || { printf 'The headers were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: structured-headers writes 2.0004 as 2., and refuses the whole header"
