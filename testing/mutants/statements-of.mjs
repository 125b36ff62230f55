const SQL_WORDS = /\b(?:select|insert into|update|delete from|is not null)\b/;
/** Placeholders for what surrounds a statement and for its values; neither matches SQL. */
export const OUTSIDE = "\u0000";
export const VALUE = "\u00a4";

/**
 * The SQL texts in a source file. Each is as long as the file with everything else blanked out, so that positions match the
 * file's.
 */
export function statementsOf(source) {
  const found = [];
  readCode(source, 0, found);
  return found.filter((text) => SQL_WORDS.test(text));
}

/** Reads code up to the closing `}` or the end. @returns where it ended */
function readCode(source, from, found) {
  let depth = 0;
  for (let at = from; at < source.length; at++) {
    const rest = source.slice(at, at + 2);
    if (rest === "//") at = source.indexOf("\n", at);
    else if (rest === "/*") at = source.indexOf("*/", at) + 1;
    else if (source[at] === '"' || source[at] === "'") at = endOfText(source, at);
    else if (source[at] === "`") at = readTemplate(source, at, found);
    else if (source[at] === "{") depth++;
    else if (source[at] === "}" && depth-- === 0) return at;
  }
  return source.length;
}

function endOfText(source, from) {
  let at = from + 1;
  while (source[at] !== source[from]) at += source[at] === "\\" ? 2 : 1;
  return at;
}

function readTemplate(source, from, found) {
  let text = OUTSIDE.repeat(from + 1);
  let at = from + 1;
  while (source[at] !== "`") {
    const isEscape = source[at] === "\\";
    const isValue = source.startsWith("${", at);
    const end = isValue ? readCode(source, at + 2, found) + 1 : at + (isEscape ? 2 : 1);
    text += isValue || isEscape ? VALUE.repeat(end - at) : source.slice(at, end);
    at = end;
  }
  found.push(text.padEnd(source.length, OUTSIDE));
  return at;
}
