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
/** Former names of a payout, its batches and what is done to them. */
const NOUNS = [
  [/(?<!\bcron |\{)\bjobs?\b(?!=)/, "bulk action"],
  [/(?<!\bin |repeated |applicable )\bparts?\b(?! (?:of|must)\b| \|)/, "batch"],
  [/\bparts? of (?:(?:an?|the|this|that|its) )?(?:file|payout|list)\b/, "batch of the payout"],
  [/\b(?:whole|(?:batch(?:es)?|points|release|rest) of (?:an?|the|this|that)) file\b/, "payout"],
  [/\bfile(?:['’]s (?:payout|release)| of (?:several|_+) batches)\b/, "payout"],
  [/\buploads?\b|\bupload(?:ed|ing)\b/, "submit, store, choose a file"],
  [/\bticks?\b/, "run of the finalizer, checkbox"],
  [/^\W*New batch\W*$/, "New payout"],
];
/** Where people read of the product. In the search they may type what they like. */
const READ =
  /^(?:app|server(?!\/kernel)|client|terms|docs|README|openapi)\b(?!.*(?:\.test|ya?ml|search.commands))/;
/** Made from other files, or about the words themselves. */
const SKIPPED = /^(?:testing\/check-words\.mjs|package-lock\.json|db\/migrations\/meta\/|patches\/|LICENSE)/;
const TEXTS = /\.(?:md|sh|yaml|yml)$|(?:^|\/)(?:openapi\.json|\.env\.example)$/;
const CODE = /\.(?:ts|tsx|mts|mjs|sql|css)$/;
/** Comments, strings and the text of JSX. Names in code are left alone. */
const COMMENT = /\/\*[\s\S]*?\*\/|(?<![:"'`\w])\/\/[^\n]*|--[^\n]*/;
const STRING = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/;
const WORDS = new RegExp(`${COMMENT.source}|${STRING.source}`, "g");
const WORDS_AND_JSX = new RegExp(`${WORDS.source}|(?<=[>}])[^<>{}=;()&|]+(?=[<{])`, "g");
/** No comment, value or SQL. */
const SENTENCE = /^(?:["'](?=.*[A-Z ])|`(?:[A-Z]|\$\{)|[^"'`/-])/;
const CODE_IN_TEXT = /```[\s\S]*?```|`[^`\n]*`|"\w+"/g;
const CODE_IN_STRING = /\$\{(?:[^{}]|\{[^{}]*\})*\}/g;

const matches = (phrases, text) =>
  phrases.flatMap(([phrase, instead]) =>
    [...text.matchAll(new RegExp(phrase, "gi"))].map((match) => ({ ...match, instead })),
  );

const { stdout } = spawnSync("git", ["ls-files"], { encoding: "utf8" });
let count = 0;
for (const file of stdout.trim().split("\n")) {
  const isText = TEXTS.test(file);
  if (SKIPPED.test(file) || !(isText || CODE.test(file))) continue;
  const text = readFileSync(file, "utf8");
  const words = file.endsWith(".tsx") ? WORDS_AND_JSX : WORDS;
  for (const { 0: part, index } of isText ? [{ 0: text, index: 0 }] : text.matchAll(words)) {
    const isRead = READ.test(file) && (isText || SENTENCE.test(part));
    const said = part.replace(isText ? CODE_IN_TEXT : CODE_IN_STRING, (code) => "_".repeat(code.length));
    for (const found of [...matches(PHRASES, part), ...matches(isRead ? NOUNS : [], said)]) {
      const line = text.slice(0, index + found.index).split("\n").length;
      console.log(`${file}:${line}: "${found[0].trim()}". Write: ${found.instead}.`);
      count++;
    }
  }
}
console.log(`${count} phrases to rewrite.`);
process.exitCode = count === 0 ? 0 : 1;
