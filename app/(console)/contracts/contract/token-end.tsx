/** The last characters of a token, to match it with one in a config file. Old tokens have none stored. */
export function TokenEnd({ end }: { end: string | null }) {
  if (!end) return null;
  return (
    <span className="font-mono text-label text-muted">
      <span className="sr-only">ends in </span>
      <span aria-hidden>ptb_…</span>
      {end}
    </span>
  );
}
