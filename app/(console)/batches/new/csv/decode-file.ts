/** The file cannot be read as a table; its words are for people. */
export class UnreadableFile extends Error {
  override name = "UnreadableFile";
}

export const FILE_BYTES_MAX = 64 * 1024 * 1024;

const SAVE_AS = "In the spreadsheet choose “Save as” or “Download” and CSV UTF-8.";

/**
 * The text of a CSV file: UTF-8, or UTF-16 when it says so by its first bytes.
 * @throws UnreadableFile
 */
export function decodeFile(bytes: ArrayBuffer): string {
  const [first, second, third, fourth] = new Uint8Array(bytes, 0, Math.min(4, bytes.byteLength));
  if (first === 0x50 && second === 0x4b && third === 3 && fourth === 4) {
    throw new UnreadableFile(`This is a spreadsheet or an archive, not a CSV file. ${SAVE_AS}`);
  }
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UnreadableFile(`The file is not text in UTF-8. ${SAVE_AS}`);
  }
  if (text.includes("\0")) throw new UnreadableFile(`The file holds bytes that are no text. ${SAVE_AS}`);
  return text;
}
