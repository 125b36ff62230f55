/**
 * A path below `/v1` with repeated slashes folded into one, since base URLs that callers configure often end in a slash.
 * Other paths, and the query, are unchanged.
 */
export function foldSlashes(target: string): string {
  if (!/^\/+v1(?:[/?]|$)/.test(target)) return target;
  const [path = "", ...query] = target.split("?");
  return [path.replaceAll(/\/{2,}/g, "/"), ...query].join("?");
}
