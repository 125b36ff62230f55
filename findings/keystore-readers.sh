#!/usr/bin/env bash
# Readers of encrypted keys (Web3 Secret Storage, version 3): ethers 6.17.0 and 5.8.0, ox 1.8.3, web3-eth-accounts 4.3.1,
# ethereumjs-wallet 1.0.2, @ethereumjs/wallet 10.0.0, keythereum 2.0.0, under Node 20.
#
# Expected: a keystore that one program wrote is opened by all others with the right password.
#
# Seen: none of these seven opens all four keystores. Where only its form differs, the right password is called wrong.
#   vector   the format's own scrypt vector (n=262144, r=1, p=8), also ox's default and eth-keyfile's to 0.6. Node's and
#            some JavaScript scrypts refuse it for the bound n < 2^(128 * r / 8), which RFC 7914's errata call a mistake.
#            web3-eth-accounts asks for an `address` first, which the format makes optional.
#   short    pbkdf2, with an iv that began with a zero byte and was written without it, as eth-keyfile 0.8.1 writes it.
#   nfkc     pbkdf2, with the password U+006E U+00BA normalized to NFKC, as ethers writes it.
#   typed    pbkdf2, with the same password as it is typed, as all others write it.
#
# What follows: `login --keystore` reads keystores itself: scrypt without OpenSSL, padded numbers, both passwords.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$dir" ethers@6.17.0 ethers5@npm:ethers@5.8.0 ox@1.8.3 \
  web3-eth-accounts@4.3.1 ethereumjs-wallet@1.0.2 @ethereumjs/wallet@10.0.0 keythereum@2.0.0 > /dev/null
cat > "$dir/read.mjs" <<'JS'
import { createCipheriv, pbkdf2Sync } from "node:crypto";
import { Wallet as Wallet10 } from "@ethereumjs/wallet";
import { Wallet, keccak256 } from "ethers";
import ethers5 from "ethers5";
import ethereumjs from "ethereumjs-wallet";
import keythereum from "keythereum";
import { Keystore } from "ox";
import { decrypt } from "web3-eth-accounts";

const KEY = "4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318";
const TYPED = "n\u00ba";

function storeOf(password, iv, writtenIv = iv) {
  const salt = Buffer.alloc(32, 7);
  const derived = pbkdf2Sync(password, salt, 1000, 32, "sha256");
  const cipher = createCipheriv("aes-128-ctr", derived.subarray(0, 16), Buffer.from(iv, "hex"));
  const encrypted = Buffer.concat([cipher.update(Buffer.from(KEY, "hex")), cipher.final()]);
  const crypto = {
    cipher: "aes-128-ctr",
    cipherparams: { iv: writtenIv },
    ciphertext: encrypted.toString("hex"),
    kdf: "pbkdf2",
    kdfparams: { c: 1000, dklen: 32, prf: "hmac-sha256", salt: salt.toString("hex") },
    mac: keccak256(Buffer.concat([derived.subarray(16), encrypted])).slice(2),
  };
  const address = "2c7536e3605d9c16a7a3d7b1898e529396a65c23";
  return { version: 3, id: "3198bc9c-6672-4ab3-9995-4942343ae5b6", address, crypto };
}
const iv = "00ab".repeat(8);
const vector = {
  version: 3,
  id: "3198bc9c-6672-5ab3-d995-4942343ae5b6",
  crypto: {
    cipher: "aes-128-ctr",
    cipherparams: { iv: "83dbcc02d8ccb40e466191a123791e0e" },
    ciphertext: "d172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c",
    kdf: "scrypt",
    kdfparams: { dklen: 32, n: 262144, r: 1, p: 8, salt: "ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19" },
    mac: "2103ac29920d71da29f15d75b4a16dbe95cfd7ff8faea1056c33131d846e3097",
  },
};
const stores = {
  vector: [vector, "testpassword"],
  short: [storeOf("secret", iv, iv.slice(2)), "secret"],
  nfkc: [storeOf(TYPED.normalize("NFKC"), iv), TYPED],
  typed: [storeOf(TYPED, iv), TYPED],
};
const readers = {
  "ethers 6": (text, password) => Wallet.fromEncryptedJson(text, password),
  "ethers 5": (text, password) => ethers5.Wallet.fromEncryptedJson(text, password),
  ox: async (text, password) => {
    const store = JSON.parse(text);
    return Keystore.decrypt(store, await Keystore.toKeyAsync(store, { password }));
  },
  "web3-eth-accounts": (text, password) => decrypt(text, password),
  "ethereumjs-wallet": (text, password) => ethereumjs.default.fromV3(text, password),
  "@ethereumjs/wallet": (text, password) => Wallet10.fromV3(text, password),
  keythereum: (text, password) => keythereum.recover(password, JSON.parse(text)),
};
for (const [name, read] of Object.entries(readers)) {
  const refused = [];
  for (const [kind, [store, password]] of Object.entries(stores))
    try {
      await read(JSON.stringify(store), password);
    } catch {
      refused.push(kind);
    }
  console.log(`${name}: ${refused.join(" ")}`);
}
JS
cat > "$dir/expected" <<'TXT'
ethers 6: vector short typed
ethers 5: short typed
ox: short nfkc
web3-eth-accounts: vector short nfkc
ethereumjs-wallet: short nfkc
@ethereumjs/wallet: short nfkc
keythereum: vector short nfkc
TXT
(cd "$dir" && node read.mjs) > "$dir/seen" 2> "$dir/errors" || { cat "$dir/errors"; exit 1; }
diff "$dir/expected" "$dir/seen"
echo "ok: none of seven keystore readers opens all four keystores"
