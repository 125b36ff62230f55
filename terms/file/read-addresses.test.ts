import { expect, test } from "vitest";
import { readAddresses } from "./read-addresses";

const [A, B] = ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", `0x${"12".repeat(20)}`] as const;
const WRONG = A.replace("5aA", "5aa");

test.each([
  ["one per line", `${A}\n${B}\n`],
  ["Windows line breaks and empty lines", `\uFEFF${A}\r\n\r\n${B}\r\n\r\n`],
  ["a heading", `address\n${A}\n${B}`],
  ["commas at the end", `${A},\n${B},`],
  ["a table with labels", `label,Wallet address\ntreasury,${A}\n"team, old",${B}`],
  ["our own holders", `address,points\n${A},10.5\n${B},3`],
  ["JSON", JSON.stringify([A, B])],
])("addresses are read from %s", (_, text) => {
  expect(readAddresses(text, "excluded.csv")).toMatchObject({ addresses: [A, B], errors: [] });
});

test.each([
  ["a name in the first line", `vitalik.eth\n${A}\n${B}`, 1, /Names are not resolved/],
  ["a title above a table", `vitalik.eth\n${A},team\n${B},team`, 1, /is not an address/],
  ["a name in a table's first line", `vitalik.eth,team\n${A},team\n${B},team`, 1, /Names are not resolved/],
  ["a line that says more", `${A}\n${B}\n… 3 more\n`, 1, /not the whole list/],
  ["a name in between", `${A}\nvitalik.eth\n${B}`, 2, /Names are not resolved/],
  ["a short address", `${A}\n0x1234\n${B}`, 2, /4 hex digits instead of 40/],
  ["a wrong checksum", `${A}\n\n${WRONG}\n${B}`, 3, /Checksum mismatch/],
  ["an address without 0x", `address\n${A}\n${B.slice(2)}\n${B}`, 3, new RegExp(`Write ${B} instead`)],
  ["two addresses", `${A}\n${A},${B}\n${B}`, 2, /one address on each line/],
  ["no address in a row of a table", `address,label\n${A},x\n,y\n${B},z`, 3, /Enter an address/],
])("%s is named by its line", (_, text, line, message) => {
  const { addresses, errors } = readAddresses(text, "excluded.csv");
  expect(errors).toEqual([{ line, value: expect.any(String), message: expect.stringMatching(message) }]);
  expect(addresses).toEqual([A, B]);
});

test("several columns of addresses are not guessed between", () => {
  expect(() => readAddresses(`${A},${B}\n${B},${A}`, "excluded.csv")).toThrow(/one address per line/);
});
