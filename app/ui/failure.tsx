const BUTTON = "rounded-control border border-line bg-surface px-3 py-1.5 font-medium hover:bg-hover";

/** In place of a page. Every page loads this code too, so it is kept to plain elements. */
export const Failure = ({ digest, onRetry }: { digest: string | undefined; onRetry: () => void }) => (
  <div role="alert" className="flex flex-col items-center gap-3 px-4 py-14 text-center">
    <h1 className="font-semibold text-title">Something went wrong</h1>
    <p className="max-w-prose text-balance text-muted">
      The page could not be loaded, and nothing was changed. The service or its database may be temporarily
      unavailable.
    </p>
    {digest && (
      <p className="hint">
        Error ID <code className="select-all font-mono">{digest}</code>
      </p>
    )}
    <div className="mt-2 flex gap-2">
      <button type="button" onClick={onRetry} className={BUTTON}>
        Try again
      </button>
      <a href="/batches" className={BUTTON}>
        View all batches
      </a>
    </div>
  </div>
);
