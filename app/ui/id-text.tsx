const END_CHARS = 6;

/**
 * An id in one line; where there is no room it is cut before its end, for neighbours often differ in their ends alone.
 * Its room is whole characters of the monospaced font, so that no gap stands between the ellipsis and the end.
 */
export function IdText({ value }: { value: string }) {
  return (
    <span className="block overflow-hidden whitespace-nowrap">
      <span className="inline-block max-w-[calc(round(down,100%-6ch,1ch)+0.1px)] truncate align-bottom">
        {value.slice(0, -END_CHARS)}
      </span>
      {value.slice(-END_CHARS)}
    </span>
  );
}
