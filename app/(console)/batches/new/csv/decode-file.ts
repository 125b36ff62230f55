/** The file is not a readable table. The message is shown to the user. */
export class UnreadableFile extends Error {
  override name = "UnreadableFile";
}

export const FILE_BYTES_MAX = 64 * 1024 * 1024;

const SAVE_AS = "In your spreadsheet, use “Save as” or “Download” and choose CSV UTF-8.";

/**
 * UTF-8, or UTF-16 with a byte-order mark.
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
    throw new UnreadableFile(`The file is not UTF-8 text. ${SAVE_AS}`);
  }
  if (text.includes("\0")) throw new UnreadableFile(`The file contains binary data. ${SAVE_AS}`);
  return text;
}
