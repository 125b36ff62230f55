import type { Server as HttpServer } from "node:http";
import type { AddressInfo, Server } from "node:net";

/** Starts a server on a free port of 127.0.0.1. @returns the port */
export async function listenLocally(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

/** Stops a server and breaks its connections. */
export function stopServer(server: HttpServer): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** What a server received so far. */
export class Arrivals<T> {
  readonly all: T[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #name: string;

  /** @param name of several, for the error */
  constructor(name: string) {
    this.#name = name;
  }

  add(one: T): void {
    this.all.push(one);
    for (const look of this.#waiting) look();
  }

  /** Resolves when `count` have arrived; rejects after `secondsMax`, which only says what is missing: a busy machine is slow. */
  until(count: number, secondsMax = 100): Promise<T[]> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`${this.all.length} of ${count} ${this.#name} arrived in ${secondsMax} s`)),
        secondsMax * 1000,
      );
      const look = () => {
        if (this.all.length < count) return;
        clearTimeout(timer);
        this.#waiting.delete(look);
        resolve(this.all);
      };
      this.#waiting.add(look);
      look();
    });
  }
}
