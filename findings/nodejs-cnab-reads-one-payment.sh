#!/usr/bin/env bash
# @banco-br/nodejs-cnab 0.2.0 from npm, which reads the return files of Brazil's banks (CNAB 400) by the layouts of
# @banco-br/cnab_yaml 2.1.0.
# Expected: as its documentation says, parseRemessaCnab(BANK.….retorno[400], …) gives an object with the fields of the
# data that was received: a header, what was paid, a line each, and a trailer.
# Really: it reads as many lines as the list has names, which are three. Of a file with three payments, the first is
# read, the second one is taken for the trailer, and the third and the trailer are left out. Nothing is said. The file
# of the documentation has one payment, and is right. Amounts are texts without a point: 20.50 is 0000000002050.
# What follows: all who paid but the first have not, and by the trailer the file has another number of payments. Give
# it a list with "detalhe" for each line of the file.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts @banco-br/nodejs-cnab@0.2.0 \
  @banco-br/cnab_yaml@2.1.0 js-yaml@3.14.1 >/dev/null
cat >read.cjs <<'JS'
const { BANK, parseRemessaCnab } = require("@banco-br/nodejs-cnab");
const { readFileSync } = require("node:fs");
const { safeLoad } = require("js-yaml");
const folder = "node_modules/@banco-br/cnab_yaml/cnab400/756/retorno";
const layout = (name) => safeLoad(readFileSync(`${folder}/${name}.yml`, "utf8"));
const line = (name, values) => {
  const columns = Array(400).fill("0");
  for (const [field, value] of Object.entries(values)) {
    const [first, last] = layout(name)[field].pos;
    columns.splice(first - 1, last - first + 1, ...value.padStart(last - first + 1, "0"));
  }
  return columns.join("");
};
const payment = (number, cents) => line("detalhe", { nosso_numero: number, valor_recebido: cents });
for (const payments of [[["1", "2050"]], [["1", "2050"], ["2", "700"], ["3", "999"]]]) {
  const trailer = line("trailer_arquivo", { qtde_registros_detalhe: String(payments.length) });
  const lines = [line("header_arquivo", {}), ...payments.map(([number, cents]) => payment(number, cents)), trailer];
  const names = ["header_arquivo", ...payments.map(() => "detalhe"), "trailer_arquivo"];
  for (const list of [BANK.bancoob.retorno[400], names]) {
    const [, ...read] = parseRemessaCnab(list, 400, "756", lines.join("\n"));
    const seen = read.map((one) => one.valor_recebido ?? `${one.qtde_registros_detalhe} in all`);
    console.log(`${payments.length} paid:`, seen.join(", "));
  }
}
JS
seen=$(node read.cjs)
wanted='1 paid: 0000000002050, 00000001 in all
1 paid: 0000000002050, 00000001 in all
3 paid: 0000000002050, 00000000 in all
3 paid: 0000000002050, 0000000000700, 0000000000999, 00000003 in all'
[ "$seen" = "$wanted" ] || { printf 'The files had\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: of three payments in a bank's file, nodejs-cnab reads one"
