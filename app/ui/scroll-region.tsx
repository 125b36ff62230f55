import type { ComponentProps } from "react";

/** The height of a row of a table of which only some rows are drawn. */
export const ROW_PX = 36;

export function ScrollRegion(props: ComponentProps<"section"> & { "aria-label": string }) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: reachable by keyboard (axe: scrollable-region-focusable)
  return <section tabIndex={0} {...props} />;
}

/** The space of rows that are not drawn. */
export function Spacer({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden>
      <td style={{ height }} />
    </tr>
  );
}
