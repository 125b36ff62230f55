import { OUTSIDE } from "./statements-of.mjs";

/** Possible changes at one place of a statement. */
const SWAPS = [
  [/ \+ /g, " - "],
  [/ - /g, " + "],
  [/ <= /g, " < "],
  [/ < /g, " <= "],
  [/ >= /g, " > "],
  [/ > /g, " >= "],
  [/ <> /g, " = "],
  [/\bis null\b/g, "is not null"],
  [/\bis not null\b/g, "is null"],
  [/\bis distinct from\b/g, "is not distinct from"],
  [/\bnot exists\b/g, "exists"],
  [/(?<!not )\bexists(?= \()/g, "not exists"],
  [/\bgreatest\(/g, "least("],
  [/\bleast\(/g, "greatest("],
  [/\bsum\(/g, "max("],
  [/\bmax\(/g, "min("],
  [/\bmin\(/g, "max("],
  [/\bunion all\b/g, "union"],
  [/\b(?:left|full) join\b/g, "join"],
  [/'(?:PENDING|FINALIZED)'/g, "'FINALIZING'"],
  [/'FINALIZING'/g, "'PENDING'"],
  [/'CANCELLED'/g, "'FINALIZED'"],
  [/'(?:ON_DEMAND)'/g, "'PREFUNDED'"],
  [/'(?:PREFUNDED)'/g, "'ON_DEMAND'"],
  [/ for update(?: skip locked)?/g, ""],
  [/ skip locked/g, ""],
  [/ on conflict \([^)]*\) do nothing/g, ""],
  [/ limit (?:\d+|\u00a4+)/g, ""],
  [/(?<=\()distinct /g, ""],
  [/(?<=, )0\)/g, "1)"],
  [/\bclock_timestamp\(\)/g, "now()"],
];
const CLAUSE =
  /^(?:order by|group by|having|for update|returning|on conflict|limit|offset|union|where|from|select|(?:left |full |cross )?join)\b/;
const CONDITION_ENDS = /^(?:and|or|then|else|end)\b/;

/** Every change of a file's statements: `at` and `end` in the file, and the replacement. */
export function changesOf(text) {
  const changes = SWAPS.flatMap(([pattern, to]) =>
    [...text.matchAll(pattern)].map(({ index, 0: { length } }) => ({ at: index, end: index + length, to })),
  );
  changes.push(...withoutCondition(text), ...withoutOrder(text), ...withoutAssignment(text));
  return changes.sort((one, other) => one.at - other.at);
}

/** `a and b` without b; `where a and b` without a; `where a` without a where. */
function* withoutCondition(text) {
  for (const { index } of text.matchAll(/\band\b/g)) {
    const end = endOfPart(text, index + 3, CONDITION_ENDS);
    yield { at: index, end, to: "" };
  }
  for (const { index } of text.matchAll(/\bwhere\b/g)) {
    const end = endOfPart(text, index + 5, CONDITION_ENDS);
    const isJoined = /^\s*(?:and|or)\b/.exec(text.slice(end));
    if (isJoined) yield { at: index + 5, end: end + isJoined[0].length, to: "" };
    else yield { at: index, end, to: "" };
  }
}

function* withoutOrder(text) {
  for (const { index } of text.matchAll(/\border by\b/g))
    yield { at: index, end: endOfPart(text, index + 8, /^$/), to: "" };
}

/** An update without one of its columns. */
function* withoutAssignment(text) {
  for (const { index } of text.matchAll(/\bset\b/g)) {
    const parts = [];
    let at = index + 3;
    do {
      const end = endOfPart(text, at, /^,/);
      parts.push({ at, end });
      at = end + 1;
    } while (text[at - 1] === ",");
    if (parts.length === 1) continue;
    for (const [place, part] of parts.entries())
      yield place === 0
        ? { at: part.at, end: part.end + 1, to: " " }
        : { at: part.at - 1, end: part.end, to: "" };
  }
}

/** Where a part of a clause ends: at a keyword, or at the end of the enclosing bracket or text. */
function endOfPart(text, from, ends) {
  let depth = 0;
  let at = from;
  for (; at < text.length && text[at] !== OUTSIDE; at++) {
    if (text[at] === "(") depth++;
    if (text[at] === ")" && depth-- === 0) break;
    if (depth > 0) continue;
    const rest = text.slice(at, at + 12);
    const startsWord = /\W/.test(text[at - 1]);
    if (ends.test(rest) && (startsWord || rest[0] === ",")) break;
    if (startsWord && CLAUSE.test(rest)) break;
  }
  while (/\s/.test(text[at - 1])) at--;
  return at;
}
