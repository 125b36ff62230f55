import { randomInt } from "node:crypto";
import { connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const SLOW_MS = 300;
// Below the ports of outgoing connections (from 32768 on Linux, 49152 elsewhere): one of those could take
// the port while `refuse` has it closed.
const PORT_MIN = 20_000;
const PORT_MAX = 32_000;
const PORT_TRIES = 20;

/**
 * `ok` passes bytes on. `blackhole` keeps connections and drops every byte. `reset` resets open and new
 * connections. `deaf` passes requests on and drops the replies. `slow` delays every byte. `hangup` accepts
 * connections and closes them, like a balancer without servers. `refuse` closes the port.
 */
export type FaultMode = "ok" | "blackhole" | "deaf" | "slow" | "reset" | "hangup" | "refuse";

/** Where one connection breaks for good. */
export interface BreakPoint {
  /** Texts of the request that it is about, of which one occurs in a single piece. */
  texts: readonly string[];
  /** How many bytes of the reply pass; `request` if not even the request does. */
  passes: "request" | ((reply: Buffer) => number);
  /** `cut` closes the connection, `hold` keeps it and passes no more bytes. */
  how: "cut" | "hold";
  /** Every such connection breaks until `stopBreaking`, not only the next. */
  isKept?: true;
}

/** A connection of a client with the server behind the proxy. */
interface Pair {
  client: Socket;
  upstream: Socket;
  /** Reached by its request. */
  broken?: BreakPoint;
  /** Passes no more bytes. */
  isOver?: true;
}

/** A TCP proxy between a pool and its Postgres that fails on demand. Listens on 127.0.0.1. */
export class FaultProxy {
  #mode: FaultMode = "ok";
  #server: Server;
  #port = 0;
  #sockets = new Set<Socket>();
  #next: { at: BreakPoint; reached: () => void } | null = null;
  #target!: { host: string; port: number };

  private constructor(url: string) {
    this.leadTo(url);
    this.#server = this.#newServer();
  }

  /** @param url of the real Postgres, whose host and port are proxied */
  static async start(url: string): Promise<FaultProxy> {
    const proxy = new FaultProxy(url);
    for (let tries = 1; ; tries += 1) {
      proxy.#port = randomInt(PORT_MIN, PORT_MAX);
      try {
        await proxy.#listen();
        return proxy;
      } catch (error) {
        const taken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
        if (!taken || tries === PORT_TRIES) throw error;
      }
    }
  }

  /** New connections go to the Postgres of this URL. Open ones stay where they are. */
  leadTo(url: string): void {
    const { hostname, port } = new URL(url);
    this.#target = { host: hostname || "127.0.0.1", port: Number(port || 5432) };
  }

  /** The same URL through this proxy. */
  through(url: string): string {
    const proxied = new URL(url);
    proxied.hostname = "127.0.0.1";
    proxied.port = String(this.#port);
    return proxied.href;
  }

  /** Changes the mode, for open connections too. */
  async set(mode: FaultMode): Promise<void> {
    const before = this.#mode;
    this.#mode = mode;
    // Bytes were dropped, so open connections cannot continue.
    const stays = mode === "blackhole" || mode === "deaf" || mode === "slow" || before === "slow";
    if (!stays && mode !== before) this.#cut();
    if (mode === "refuse") await this.#close();
    else if (before === "refuse") await this.#listen();
  }

  /** Breaks the next connection with such a request. @returns resolves when it is broken */
  breakAt(at: BreakPoint): Promise<void> {
    return new Promise((reached) => {
      this.#next = { at, reached };
    });
  }

  /** Breaks no more connections. */
  stopBreaking(): void {
    this.#next = null;
  }

  async stop(): Promise<void> {
    this.#cut();
    if (this.#mode !== "refuse") await this.#close();
  }

  #newServer(): Server {
    return createServer({ allowHalfOpen: false }, (client) => this.#join(client));
  }

  #join(client: Socket): void {
    this.#track(client);
    if (this.#mode === "reset") {
      client.resetAndDestroy();
      return;
    }
    if (this.#mode === "hangup") {
      client.end();
      return;
    }
    const upstream = connect(this.#target);
    this.#track(upstream);
    const pair: Pair = { client, upstream };
    this.#pass(client, upstream, (bytes) => this.#requestOf(pair, bytes));
    this.#pass(upstream, client, (bytes) => this.#replyOf(pair, bytes));
  }

  /** What passes of a request. */
  #requestOf(pair: Pair, bytes: Buffer): Buffer | null {
    if (pair.isOver || this.#mode === "blackhole") return null;
    const { texts, passes } = this.#next?.at ?? { texts: [], passes: "request" };
    if (!texts.some((text) => bytes.includes(text))) return bytes;
    pair.broken = this.#next!.at;
    if (passes !== "request") return bytes;
    this.#break(pair);
    return null;
  }

  /** What passes of a reply. It breaks at its first piece, so that the server has worked on the request. */
  #replyOf(pair: Pair, bytes: Buffer): Buffer | null {
    if (pair.isOver || this.#mode === "blackhole" || this.#mode === "deaf") return null;
    if (!pair.broken || pair.broken.passes === "request") return bytes;
    pair.client.write(bytes.subarray(0, pair.broken.passes(bytes)));
    this.#break(pair);
    return null;
  }

  #break(pair: Pair): void {
    pair.isOver = true;
    if (pair.broken!.how === "cut") pair.client.end(() => pair.upstream.destroy());
    this.#next?.reached();
    if (!pair.broken!.isKept) this.stopBreaking();
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("error", () => undefined);
    socket.on("close", () => this.#sockets.delete(socket));
  }

  #pass(from: Socket, to: Socket, passing: (bytes: Buffer) => Buffer | null): void {
    // In order, so that later bytes do not overtake delayed ones.
    let passed = Promise.resolve();
    from.on("data", (bytes: Buffer) => {
      const part = passing(bytes);
      if (!part) return;
      if (this.#mode === "slow") passed = passed.then(() => sleep(SLOW_MS));
      passed = passed.then(() => void to.write(part));
    });
    from.on("close", () => {
      if (this.#mode !== "blackhole") to.destroy();
    });
  }

  #cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async #listen(): Promise<void> {
    this.#server = this.#newServer();
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(this.#port, "127.0.0.1", resolve);
    });
  }

  async #close(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}
