import type {
  Answered,
  Asked,
  Checked,
  CheckOptions,
  FileError,
  Loaded,
  Reply,
  Request,
  Transfer,
} from "./checked";
import { FileProblem } from "./decode-file";

/** What the user chose; otherwise it is detected. */
export interface LoadChoice {
  header?: boolean;
  sheet?: number;
}

/** Client of the worker that holds the rows. The first request starts the worker. */
export class Checker {
  #worker: Worker | undefined;
  #asks = 0;
  readonly #handlers = new Map<number, (reply: Reply) => void>();
  /** The last request of these kinds. */
  readonly #last: { load?: number; check?: number } = {};

  load(source: File | string, name: string, choice: LoadChoice = {}): Promise<Loaded> {
    return this.#ask({ kind: "load", source, name, ...choice }, (reply) =>
      reply.kind === "loaded" ? reply.loaded : undefined,
    );
  }

  /** Never resolves once a newer request was made. */
  check(options: CheckOptions, onProgress: (done: number, total: number) => void): Promise<Checked> {
    const errors: FileError[] = [];
    return this.#ask({ kind: "check", options }, (reply) => {
      if (reply.kind === "progress") onProgress(reply.done, reply.total);
      if (reply.kind === "errors") errors.push(...reply.errors);
      return reply.kind === "checked" ? { ...reply.checked, errors } : undefined;
    });
  }

  badRows(): Promise<string> {
    return this.#ask({ kind: "bad-rows" }, (reply) => (reply.kind === "bad-rows" ? reply.csv : undefined));
  }

  rows(part: number): Promise<Transfer[]> {
    return this.#ask({ kind: "rows", part }, (reply) =>
      reply.kind === "rows" ? reply.transfers : undefined,
    );
  }

  close(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
  }

  #ask<T>(request: Request, read: (reply: Reply) => T | undefined): Promise<T> {
    const ask = ++this.#asks;
    // The worker drops a check for a newer one or a newer file, and a file for a newer one, without a reply.
    const { kind } = request;
    if (kind === "load" || kind === "check") {
      if (this.#last.check) this.#handlers.delete(this.#last.check);
      if (kind === "load" && this.#last.load) this.#handlers.delete(this.#last.load);
      this.#last[kind] = ask;
    }
    this.#worker ??= this.#start();
    const worker = this.#worker;
    return new Promise<T>((resolve, reject) => {
      this.#handlers.set(ask, (reply) => {
        const value = read(reply);
        if (value !== undefined) resolve(value);
        else if (reply.kind === "refused") reject(new FileProblem(reply.message));
        else return;
        this.#handlers.delete(ask);
      });
      worker.postMessage({ ...request, ask } satisfies Asked);
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL("./check-worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<Answered>) => this.#handlers.get(data.ask)?.(data);
    worker.onerror = () => {
      for (const handle of this.#handlers.values())
        handle({ kind: "refused", message: "Could not start reading the file. Reload the page." });
      this.close();
    };
    return worker;
  }
}
