import type { KeyboardEvent as ReactKeyboardEvent } from "react";

/** Ctrl+Enter or ⌘+Enter submits the form of the focused field, unless its button is disabled. */
export function submitOnKeys(event: ReactKeyboardEvent): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
  const target = event.target as Element;
  if (target.closest("button, a")) return;
  const button = target.closest("form")?.querySelector<HTMLButtonElement>("button[type=submit]");
  if (!button) return;
  event.preventDefault();
  button.click();
}
