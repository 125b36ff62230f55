/** Folds the slashes of a path below `/v1`, since configured base URLs often end in one. */
export function foldSlashes(target: string): string {
  if (!/^\/+v1(?:[/?]|$)/.test(target)) return target;
  const [path = "", ...query] = target.split("?");
  return [path.replaceAll(/\/{2,}/g, "/"), ...query].join("?");
}
