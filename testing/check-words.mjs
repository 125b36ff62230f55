// Part of `npm run check`: phrases that nobody who speaks English would write, with what to write instead.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const PHRASES = [
  [/\bmend(?:s|ed|ing)?\b/, "fix"],
  [/\btold\b|\btells?\b|\btelling\b/, "decided by, reports, shows, is notified"],
  [/\bdear(?:er)?\b/, "expensive"],
  [/\bwho(?:so)?ever\b/, "anyone who, the caller"],
  [/\bof before\b|\bof now\b/, "previous, current"],
  [/\bat once\b/, "immediately, at the same time"],
  [/\bstands? (?:in|beside|there|for)\b/, "is in, is next to"],
  [/\bnothing of it\b|\bnone that is\b/, "rewrite the sentence"],
  [/\btakes? (?:up )?room\b/, "uses space"],
  [/\bgo(?:es)? on\b|\bwent on\b/, "continue, retry"],
  [/\b(?:app|service|host|server|program|client) knows\b/, "stores, can look up"],
  [/\bso many\b/, "up to N"],
  [/\bnobody whom\b/, "the access token is missing or invalid"],
];
/** Made from other files, or about the words themselves. */
const SKIPPED = /^(?:testing\/check-words\.mjs|package-lock\.json|db\/migrations\/meta\/|patches\/|LICENSE)/;
const TEXTS = /\.(?:md|sh|yaml|yml)$|(?:^|\/)(?:openapi\.json|\.env\.example)$/;
const CODE = /\.(?:ts|tsx|mts|mjs|sql|css)$/;
/** Comments, strings and the text of JSX. Names in code are left alone. */
const COMMENT = /\/\*[\s\S]*?\*\/|(?<![:"'`\w])\/\/[^\n]*|--[^\n]*/;
const STRING = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/;
const WORDS = new RegExp(`${COMMENT.source}|${STRING.source}|>[^<>{}=;]+<`, "g");

const { stdout } = spawnSync("git", ["ls-files"], { encoding: "utf8" });
let found = 0;
for (const file of stdout.trim().split("\n")) {
  if (SKIPPED.test(file) || !(TEXTS.test(file) || CODE.test(file))) continue;
  const text = readFileSync(file, "utf8");
  const parts = TEXTS.test(file) ? [{ 0: text, index: 0 }] : text.matchAll(WORDS);
  for (const { 0: part, index } of parts) {
    for (const [phrase, instead] of PHRASES) {
      for (const match of part.matchAll(new RegExp(phrase, "gi"))) {
        const line = text.slice(0, index + match.index).split("\n").length;
        console.log(`${file}:${line}: "${match[0]}". Write: ${instead}.`);
        found++;
      }
    }
  }
}
console.log(`${found} phrases to rewrite.`);
process.exitCode = found === 0 ? 0 : 1;
