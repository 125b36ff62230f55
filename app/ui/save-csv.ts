import { csvStart } from "../data/csv";

const REVOKED_AFTER_MS = 1000;

/** Saves CSV as a file on the user's computer. */
export async function saveCsv(name: string, parts: Iterable<string> | AsyncIterable<string>): Promise<void> {
  const text = [csvStart(document.cookie)];
  for await (const part of parts) text.push(part);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(text, { type: "text/csv" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKED_AFTER_MS);
}
