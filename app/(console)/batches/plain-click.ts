import type { MouseEvent } from "react";

/** With a modifier key, a link does what the browser does. */
export const onPlainClick = (run: () => void) => (event: MouseEvent) => {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  run();
};
