/**
 * The style element of the notices' library, which takes no nonce: the hash of its constant text, and of the empty
 * element that it is before. A test compares them with the library.
 */
export const NOTICE_STYLES = [
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
  "'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY='",
] as const;

/**
 * What a page may load and run. Scripts run by nonce alone, and may load their own chunks (`strict-dynamic`).
 * Style *attributes* are allowed: heights of virtual rows and widths of columns stand in the HTML that the server
 * sends, and an attribute can neither run anything nor load from another host (`img-src`, `font-src`).
 */
export function contentPolicy({
  nonce,
  dev,
  https,
}: {
  nonce: string;
  dev: boolean;
  https: boolean;
}): string {
  const directives = {
    "default-src": ["'self'"],
    // React rebuilds stacks with `eval` while developing.
    "script-src": ["'self'", `'nonce-${nonce}'`, "'strict-dynamic'", ...(dev ? ["'unsafe-eval'"] : [])],
    // The error overlay of development brings styles of its own.
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
