import { readFileSync, statSync } from "node:fs";

/** More than the certificates of all public authorities need. */
const BYTES_MAX = 1_048_576;

/**
 * Reads a text file that a setting names, but no device or pipe, which may never end, or never begin.
 * @throws an error whose message follows the name of the file: `is not a regular file`
 */
export function readNamedFile(path: string): string {
  let problem = "is not a regular file";
  try {
    const found = statSync(path);
    if (found.isFile() && found.size <= BYTES_MAX) return readFileSync(path, "utf8");
    if (found.isFile()) problem = `is larger than ${BYTES_MAX} bytes`;
  } catch (error) {
    problem = `cannot be read (${(error as NodeJS.ErrnoException).code})`;
  }
  throw new Error(problem);
}
