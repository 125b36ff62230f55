import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** Longer than a process may take to stop, and clients to finish their requests. */
const END_MS_MAX = 90_000;

/** Stops and deletes what was started or created, in reverse order. */
export class Cleanup {
  readonly #ends: (() => unknown)[] = [];

  add(end: () => unknown): void {
    this.#ends.push(end);
  }

  /** A new folder that Postgres can enter as another user. */
  folder(): string {
    const dir = mkdtempSync(path.join(tmpdir(), "ptb-fault-"));
    this.add(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
    return dir;
  }

  /** Never throws. @returns a message for each thing that could not be stopped */
  async run(): Promise<string[]> {
    const faults: string[] = [];
    for (let end = this.#ends.pop(); end; end = this.#ends.pop()) {
      try {
        await within(end);
      } catch (error) {
        faults.push(String(error));
      }
    }
    return faults;
  }
}

async function within(end: () => unknown): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${END_MS_MAX / 1000} s: ${end}`)), END_MS_MAX);
  });
  try {
    await Promise.race([end(), late]);
  } finally {
    clearTimeout(timer);
  }
}
