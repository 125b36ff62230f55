import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** What has been started or made, to be ended in reverse order. */
export class Cleanup {
  readonly #ends: (() => unknown)[] = [];

  add(end: () => unknown): void {
    this.#ends.push(end);
  }

  /** A new folder that another user's Postgres may enter. */
  folder(): string {
    const dir = mkdtempSync(path.join(tmpdir(), "ptb-fault-"));
    this.add(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
    return dir;
  }

  /** Never throws; gives what could not be ended, in words. */
  async run(): Promise<string[]> {
    const faults: string[] = [];
    for (let end = this.#ends.pop(); end; end = this.#ends.pop()) {
      try {
        await end();
      } catch (error) {
        faults.push(String(error));
      }
    }
    return faults;
  }
}
