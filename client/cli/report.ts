import { randomUUID } from "node:crypto";
import {
  type BigIntStats,
  closeSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { EXIT, Failure } from "./terminal.ts";

/** How much of a file is read to see whether it is a report. */
const START_BYTES = 65_536;
/** Where the folder or a mount allows no other file in the place of this one. */
const NO_REPLACING: readonly (string | undefined)[] = ["EACCES", "EPERM", "EBUSY", "EROFS"];

/** A file that a command writes. It never replaces the file that is read, and others only with `--force`. */
export class Report {
  readonly path: string;
  readonly #existing: BigIntStats | undefined;

  /**
   * Writes nothing.
   * @param source the file that the command reads
   * @param begins what the command's own reports begin with
   * @throws Failure
   */
  constructor(path: string, source: string, begins: RegExp, isForced = false) {
    this.path = path;
    this.#existing = orFail(() => statOf(path));
    const existing = this.#existing;
    if (!existing) return;
    const refuse = (why: string) => new Failure(EXIT.usage, `--report ${path} ${why}`);
    const read = orFail(() => statOf(source));
    // Links, folders and letter case give a file many names.
    if (read && existing.dev === read.dev && existing.ino === read.ino)
      throw refuse("is the payout file itself. Name another file.");
    if (!existing.isFile()) throw refuse("is not a file. Name a file.");
    if (existing.size > 0n && !isForced && !begins.test(orFail(() => startOf(path))))
      throw refuse("is not an earlier report of this command. Name another file, or add --force.");
  }

  /** Whether there was no report that a new one would replace. */
  get isNew(): boolean {
    return !this.#existing?.size;
  }

  /** Makes sure that it can be written. An earlier report stays as it is. @throws Failure */
  prepare(): void {
    orFail(() => closeSync(openSync(this.path, "a")));
  }

  /** Replaces the whole text in one step: a crash leaves the earlier text or this one. @throws Failure */
  write(text: string): void {
    this.prepare();
    orFail(() => {
      const path = realpathSync(this.path);
      const draft = `${path}.${randomUUID()}.tmp`;
      const mode = this.#existing && Number(this.#existing.mode) & 0o777;
      try {
        writeFileSync(draft, text, { flag: "wx", mode });
        renameSync(draft, path);
      } catch (error) {
        rmSync(draft, { force: true });
        if (!NO_REPLACING.includes((error as NodeJS.ErrnoException).code)) throw error;
        writeFileSync(path, text);
      }
    });
  }
}

function orFail<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new Failure(EXIT.badInput, `Cannot write the report: ${(error as Error).message}`);
  }
}

const statOf = (path: string) => statSync(path, { bigint: true, throwIfNoEntry: false });

function startOf(path: string): string {
  const start = Buffer.alloc(START_BYTES);
  const file = openSync(path, "r");
  try {
    return start.toString("utf8", 0, readSync(file, start));
  } finally {
    closeSync(file);
  }
}
