/** The end of a token, which stands in its user's settings too; those made before it was kept have none. */
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
