const LINES_ABOVE = 3;

/** Selects a line of a text box, counted from 1, and shows it. */
export function selectLine(box: HTMLTextAreaElement, line: number): void {
  const lines = box.value.split("\n");
  const before = lines.slice(0, line - 1);
  const start = before.reduce((chars, text) => chars + text.length + 1, 0);
  box.focus();
  box.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
  box.scrollTop = ((box.scrollHeight - box.clientHeight) * Math.max(0, line - LINES_ABOVE)) / lines.length;
}
