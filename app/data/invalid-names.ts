/** The parameters of a URL that are invalid, also if only a part of a list is. */
export function invalidNames(given: URLSearchParams, read: Record<string, unknown>): string[] {
  return Object.entries(read).flatMap(([name, value]) => {
    const sent = given.get(name);
    if (sent === null) return [];
    const isInvalid = Array.isArray(value) ? value.length !== sent.split(",").length : value === null;
    return isInvalid ? [name] : [];
  });
}
