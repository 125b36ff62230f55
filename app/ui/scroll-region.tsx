import type { ComponentProps } from "react";

export function ScrollRegion(props: ComponentProps<"section"> & { "aria-label": string }) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard (axe: scrollable-region-focusable)
  return <section tabIndex={0} {...props} />;
}
