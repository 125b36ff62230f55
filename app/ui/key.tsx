interface KeyProps {
  sign: string;
  /** For screen readers. */
  name: string;
}

export function Key({ sign, name }: KeyProps) {
  return (
    <kbd className="inline-flex h-5 min-w-5 items-center justify-center rounded-badge border border-line bg-surface px-1 font-mono text-[11px]/4 text-muted">
      <span aria-hidden>{sign}</span>
      <span className="sr-only">{name}</span>
    </kbd>
  );
}
