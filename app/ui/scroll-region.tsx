import type { ComponentProps } from "react";

/** A named part of the page that scrolls by itself, by keyboard too. */
export function ScrollRegion(props: ComponentProps<"section"> & { "aria-label": string }) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (axe: scrollable-region-focusable)
  return <section tabIndex={0} {...props} />;
}
