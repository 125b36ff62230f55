/** The parameters of a URL that were sent but could not be read, or of whose list only a part could. */
export function unreadNames(given: URLSearchParams, read: Record<string, unknown>): string[] {
  return Object.entries(read).flatMap(([name, value]) => {
    const sent = given.get(name);
    if (sent === null) return [];
    const isUnread = Array.isArray(value) ? value.length !== sent.split(",").length : value === null;
    return isUnread ? [name] : [];
  });
}
