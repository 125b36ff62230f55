#!/usr/bin/env bash
# sepa-xml 0.6.0 from npm, which writes payments for European banks (pain.001).
# Expected: as its documentation says, the BIC of a recipient's bank "can be auto-found", its list of them is "probably
# not complete", and it runs "the final result through a validator and will throw an error if there's an issue". Its
# formats are pain.001.001.03, which is the default, and pain.001.001.02. An account may be written with spaces, as in
# its examples. In a BIC, the fifth and sixth letters are the country of the bank.
# Really: the four letters of the bank in an account number are looked up in a list of Dutch banks, whatever the
# country. A Romanian account of INGB and an Irish one of CITI each get the BIC of a bank in the Netherlands. With
# spaces no BIC is found, and the account is written with them, which the schema does not allow. In pain.001.001.02
# nobody has a name. There is no validator, and nothing is said. Dutch accounts without spaces are right, so a test with
# these shows nothing.
# What follows: who pays people in other countries sends some of them to a bank that does not have the account, which
# costs fees and days, and most of the file is right. Give each `bic`, or leave out what it found. Lists of recipients
# here have addresses, and no banks.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts sepa-xml@0.6.0 handlebars@4.7.8 >/dev/null
cat >"$dir/write.cjs" <<'JS'
const SepaXML = require("sepa-xml");

const people = [["Nora", "NL39RABO0300065264"], ["Radu", "RO21INGB0000999901234567"], ["Ian", "IE58CITI99005112345678"],
  ["Dirk", "NL39 RABO 0300 0652 64"]];
for (const format of ["pain.001.001.03", "pain.001.001.02"]) {
  const file = new SepaXML(format);
  file.setHeaderInfo({ messageId: "1", initiator: "Example" });
  file.setPaymentInfo({ id: "1", method: "TRF", senderName: "Example", senderIBAN: "NL39RABO0300065264" });
  for (const [name, iban] of people)
    file.addTransaction({ id: `for ${name}`, amount: 10, name, iban, description: "-" });
  file.compile((error, xml) => {
    if (error) throw error;
    for (const [payment] of xml.matchAll(/<CdtTrfTxInf>[\s\S]*?<\/CdtTrfTxInf>/g)) {
      const [id, bic, name, iban] = ["EndToEndId", "BIC", "Nm", "IBAN"].map(
        (element) => new RegExp(`<${element}>([^<]*)<`).exec(payment)?.[1] ?? "none");
      console.log(`${format} ${id}: name "${name}", account ${iban}, bank ${bic}`);
    }
  });
}
JS
seen=$(cd "$dir" && node write.cjs | sort)
wanted='pain.001.001.02 for Dirk: name "", account NL39 RABO 0300 0652 64, bank none
pain.001.001.02 for Ian: name "", account IE58CITI99005112345678, bank CITINL2X
pain.001.001.02 for Nora: name "", account NL39RABO0300065264, bank RABONL2U
pain.001.001.02 for Radu: name "", account RO21INGB0000999901234567, bank INGBNL2A
pain.001.001.03 for Dirk: name "Dirk", account NL39 RABO 0300 0652 64, bank none
pain.001.001.03 for Ian: name "Ian", account IE58CITI99005112345678, bank CITINL2X
pain.001.001.03 for Nora: name "Nora", account NL39RABO0300065264, bank RABONL2U
pain.001.001.03 for Radu: name "Radu", account RO21INGB0000999901234567, bank INGBNL2A'
[ "$seen" = "$wanted" ] || { printf 'The payments were\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: sepa-xml gives accounts in Romania and Ireland the BIC of banks in the Netherlands"
