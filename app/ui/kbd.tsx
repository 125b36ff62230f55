export function Kbd({ children }: { children: React.ReactNode }) {
  return (
    <kbd className="rounded-badge border border-line bg-ground px-1 font-mono text-[11px] text-muted leading-4">
      {children}
    </kbd>
  );
}
