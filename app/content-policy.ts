/** The toast library's style element takes no nonce: hashes of its text, and of the empty element. */
export const NOTICE_STYLES = [
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
  "'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY='",
] as const;

/**
 * Scripts need the nonce, and may load their own chunks (`strict-dynamic`). Style *attributes* are allowed
 * for row heights and column widths: they can neither run code nor load from other hosts (`img-src`,
 * `font-src`).
 */
export function contentPolicy({ nonce, dev, https }: { nonce: string; dev: boolean; https: boolean }) {
  const directives = {
    "default-src": ["'self'"],
    // React uses `eval` to rebuild stacks in development.
    "script-src": ["'self'", `'nonce-${nonce}'`, "'strict-dynamic'", ...(dev ? ["'unsafe-eval'"] : [])],
    // The development error overlay has inline styles.
    "style-src": ["'self'", ...(dev ? ["'unsafe-inline'"] : [`'nonce-${nonce}'`, ...NOTICE_STYLES])],
    "style-src-attr": ["'unsafe-inline'"],
    "img-src": ["'self'", "data:"],
    "connect-src": ["'self'"],
    "worker-src": ["'self'"],
    "object-src": ["'none'"],
    "base-uri": ["'none'"],
    "form-action": ["'self'"],
    "frame-ancestors": ["'none'"],
    ...(https ? { "upgrade-insecure-requests": [] } : {}),
  };
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(" "))
    .join("; ");
}
