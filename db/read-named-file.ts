import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/** More than the certificates of all public authorities need. */
const BYTES_MAX = 1_048_576;

/** The message follows the name of the file: `is not a regular file`. */
export class NamedFileError extends Error {
  override name = "NamedFileError";
}

/** Reads a text file that a setting names. A device or a pipe may never end, or never begin. @throws NamedFileError */
export function readNamedFile(path: string): string {
  let file: number | undefined;
  try {
    // Otherwise, opening a pipe waits for a writer.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const found = fstatSync(file);
    if (!found.isFile()) throw new NamedFileError("is not a regular file");
    if (found.size > BYTES_MAX) throw new NamedFileError(`is larger than ${BYTES_MAX} bytes`);
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof NamedFileError) throw error;
    throw new NamedFileError(`cannot be read (${(error as NodeJS.ErrnoException).code})`);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
