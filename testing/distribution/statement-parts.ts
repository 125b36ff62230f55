/** One line in lower case, without quotes, comments, casts and strings. */
export function plain(statement: string): string {
  return statement
    .replaceAll(/--.*$/gm, "")
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll('"', "")
    .replaceAll(/::\w+(?:\(\d+\))?(?:\[\])?/g, "")
    .replaceAll(/\s+/g, " ")
    .toLowerCase();
}

/** One query of a statement: the statement itself, a subquery, or one side of a UNION. */
export interface Part {
  /** Its own text without subqueries. */
  text: string;
  /** The text before its bracket, such as `with recursive name as` or `lateral`. */
  before: string;
}

const BEGINS_QUERY = /^\s*\(*\s*(?:select|with|insert|update|delete|values)\b/;
const BETWEEN_QUERIES = / (?:union(?: all)?|except|intersect) /;
const WORDS_BEFORE = 60;

/** The queries of a statement from `plain`. It reads brackets, not grammar. */
export function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  visit(text, "", parts);
  return parts;
}

function visit(text: string, before: string, parts: Part[]): void {
  let own = "";
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== "(") {
      own += text[at];
      continue;
    }
    const end = closing(text, at);
    const inner = text.slice(at + 1, end);
    if (BEGINS_QUERY.test(inner)) {
      visit(inner, text.slice(Math.max(0, at - WORDS_BEFORE), at), parts);
      own += "()";
    } else {
      own += "(";
      continue;
    }
    at = end;
  }
  for (const side of own.split(BETWEEN_QUERIES)) parts.push({ text: ` ${side} `, before });
}

/** Where the bracket that opens at `open` closes. */
export function closing(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === "(") depth++;
    if (text[at] === ")" && --depth === 0) return at;
  }
  return text.length;
}
