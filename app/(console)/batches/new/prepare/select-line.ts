const LINES_ABOVE = 3;

/** Scrolls to a line, counted from 1, and selects the value in it, or the whole line if the value is not unique there. */
export function selectLine(box: HTMLTextAreaElement, line: number, value: string): void {
  const lines = box.value.split("\n");
  const before = lines.slice(0, line - 1);
  const start = before.reduce((chars, text) => chars + text.length + 1, 0);
  const text = lines[line - 1] ?? "";
  const isOnce = value !== "" && text.split(value).length === 2;
  const from = isOnce ? start + text.indexOf(value) : start;
  box.focus();
  box.setSelectionRange(from, from + (isOnce ? value.length : text.length));
  box.scrollTop = (box.scrollHeight * Math.max(0, line - LINES_ABOVE)) / lines.length;
}
