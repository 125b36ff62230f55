const END_CHARS = 6;

/**
 * Truncated before its end, because neighboring IDs often differ only there. The width is rounded to whole characters of
 * the monospaced font, so that there is no gap after the ellipsis.
 */
export function IdText({ value }: { value: string }) {
  return (
    <span className="wrap-anywhere block overflow-hidden whitespace-nowrap print:whitespace-normal">
      <span className="inline-block max-w-[calc(round(down,100%-6ch,1ch)+0.1px)] truncate align-bottom print:inline">
        {value.slice(0, -END_CHARS)}
      </span>
      {value.slice(-END_CHARS)}
    </span>
  );
}
