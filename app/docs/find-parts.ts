import type { FoundPart } from "@/app/docs/search-index";

const GROUPS = ["Quick start", "Guides", "Reference", "Errors"] as const satisfies FoundPart["group"][];
const PER_GROUP_MAX = 6;
const EXCERPT_CHARS = 110;

/** The parts that have every word, by group; titles first. */
export function findParts(parts: readonly FoundPart[], wanted: string) {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const has = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const rank = ({ title, place }: FoundPart) => (has(title) ? 0 : has(`${title} ${place}`) ? 1 : 2);
  return GROUPS.map((group) => ({
    heading: group,
    items: parts
      .filter((part) => part.group === group && has(`${part.title} ${part.place} ${part.text}`))
      .sort((one, other) => rank(one) - rank(other))
      .slice(0, PER_GROUP_MAX)
      .map((part) => ({ ...part, excerpt: excerptOf(part.text, words) })),
  })).filter(({ items }) => items.length > 0);
}

/** The text around the first word that was found in it. */
function excerptOf(marked: string, words: readonly string[]): string {
  const text = marked.replaceAll(/[`*]/g, "").replaceAll(/\s+/g, " ");
  const found = words.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at >= 0);
  const at = Math.min(...found, text.length) - EXCERPT_CHARS / 3;
  const from = at > 0 && found.length > 0 ? text.indexOf(" ", at) + 1 : 0;
  return `${from > 0 ? "… " : ""}${text.slice(from, from + EXCERPT_CHARS)}`;
}
