/** Whether the title or other names contain every word of the text. */
export function isNamed(text: string, title: string, otherNames: string): boolean {
  const names = `${title} ${otherNames}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => names.includes(word));
}
