const REVOKED_AFTER_MS = 1000;

/** Saves CSV as a file on the user's computer. */
export function saveCsv(name: string, parts: string[]): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(parts, { type: "text/csv" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKED_AFTER_MS);
}
