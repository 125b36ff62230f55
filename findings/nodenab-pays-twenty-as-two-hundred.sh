#!/usr/bin/env bash
# nodenab 1.2.1 from npm, which writes and reads the files of Brazil's banks (CNAB), with its own layout for bank 237.
# Expected: an amount is read from a bank's return file as it was paid, and written with two decimals, rounded.
# Really: the whole part and the decimals are read apart, and joined as texts: of 20.50 that was paid, it makes
# "200.50", and of 1234.56 "12340.56". 20.00 is 20. In writing, decimals from the third on are rounded, and what is
# left is filled up with zeros on the wrong side: 20.049 is written as 20.50, and 1.055 as 1.60. 1.999 gets a digit
# too many, so that all fields behind it are one column farther. Amounts of two decimals are written right. Nothing is
# said.
# What follows: by its return file, a payment of 20.50 was paid nearly ten times over, and a fee of 1.055 is one of
# 1.60. Read the columns as texts, and round before an amount is given to it.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts nodenab@1.2.1 >/dev/null
cat >"$dir/bank.cjs" <<'JS'
const { Layout, Remessa, RemessaFile, RetornoFile } = require("nodenab");
const layout = new Layout(237, "400", "cobranca", { layoutPath: "node_modules/nodenab/layouts" });

const line = (type, cents) => type.padEnd(253, "0") + String(cents).padStart(13, "0") + "0".repeat(134);
for (const cents of [2000, 2050, 123_456, 7]) {
  const text = [line("0", 0), line("1", cents), line("9", 0)].join("\n");
  const [{ titulos }] = new RetornoFile(layout, text).generate().toJSON().lotes;
  console.log("read", (cents / 100).toFixed(2), "as", titulos[0][1].valor_pago);
}

const fields = layout.getRemessaLayout().detalhes.segmento_1;
for (const valor of [20.5, 1234.56, 20.049, 1.055, 1.999]) {
  const file = new Remessa(layout);
  const batch = file.novoLote(1);
  const { segmento_1: entry } = batch.novoDetalhe();
  for (const [name, { picture, default: value }] of Object.entries(fields))
    entry[name] = value ?? (/^9/.test(picture) ? 0 : "");
  batch.inserirDetalhe({ segmento_1: Object.assign(entry, { valor }) });
  file.inserirLote(batch);
  const text = new RemessaFile(file).generate().split("\r\n").find((one) => one.startsWith("1"));
  console.log("written", valor, "as", text.slice(126, 137).replace(/^0+/, ""), text.slice(137, 139), text.length);
}
JS
cd "$dir"
seen=$(node bank.cjs)
wanted='read 20.00 as 20
read 20.50 as 200.50
read 1234.56 as 12340.56
read 0.07 as 00.07
written 20.5 as 20 50 400
written 1234.56 as 1234 56 400
written 20.049 as 20 50 400
written 1.055 as 1 60 400
written 1.999 as 1 10 401'
[ "$seen" = "$wanted" ] || { printf 'The amounts were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: to nodenab, a bank that paid 20.50 has paid 200.50"
