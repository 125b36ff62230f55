import {
  Agent,
  createServer,
  get,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { listenLocally, stopServer } from "../local-server";

const LOOK_EVERY_MS = 250;
const LOOK_MS_MAX = 2000;
/** Longer than the hosts', whose announcement of it is passed on, so that this side never closes what a client is about to use. */
const KEEP_ALIVE_MS = 120_000;

interface Upstream {
  url: URL;
  isReady: boolean;
  agent: Agent;
}

/**
 * The balancer in front of two hosts during a deploy. It checks each host's /readyz and keeps connections to those that are
 * ready. It retries nothing, so that a client sees every connection that a host breaks.
 */
export class Balancer {
  url = "";
  readonly #upstreams: Upstream[];
  #next = 0;
  #stopped = false;
  readonly #server: Server;
  readonly #looking: Promise<unknown>;

  private constructor(urls: readonly string[]) {
    this.#upstreams = urls.map((url) => ({
      url: new URL(url),
      isReady: false,
      agent: new Agent({ keepAlive: true }),
    }));
    this.#server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (message, reply) =>
      this.#pass(message, reply),
    );
    this.#looking = Promise.all(this.#upstreams.map((upstream) => this.#look(upstream)));
  }

  static async start(urls: readonly string[]): Promise<Balancer> {
    const balancer = new Balancer(urls);
    balancer.url = `http://127.0.0.1:${await listenLocally(balancer.#server)}`;
    return balancer;
  }

  /** Resolves when all hosts are in rotation. */
  async untilReady(signal: AbortSignal): Promise<void> {
    while (!this.#upstreams.every(({ isReady }) => isReady) && !signal.aborted) await sleep(20);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await stopServer(this.#server);
    for (const { agent } of this.#upstreams) agent.destroy();
    await this.#looking;
  }

  async #look(upstream: Upstream): Promise<void> {
    while (!this.#stopped) {
      upstream.isReady = await isReady(upstream);
      await sleep(LOOK_EVERY_MS);
    }
  }

  #pass(message: IncomingMessage, reply: ServerResponse): void {
    const ready = this.#upstreams.filter(({ isReady }) => isReady);
    const upstream = ready[this.#next++ % Math.max(1, ready.length)];
    if (!upstream) {
      reply.writeHead(502).end();
      return;
    }
    const { method, url, headers } = message;
    const passed = request(new URL(url ?? "/", upstream.url), { method, headers, agent: upstream.agent });
    passed.on("response", (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(reply);
    });
    passed.on("error", () => reply.destroy());
    reply.on("close", () => passed.destroy());
    message.pipe(passed);
  }
}

/** A timeout keeps the previous state, because a busy machine is slow. */
function isReady(upstream: Upstream): Promise<boolean> {
  return new Promise((resolve) => {
    const look = get(new URL("/readyz", upstream.url), { agent: false }, (reply) => {
      reply.resume();
      resolve(reply.statusCode === 200);
    });
    look.setTimeout(LOOK_MS_MAX, () => {
      resolve(upstream.isReady);
      look.destroy();
    });
    look.on("error", () => resolve(false));
  });
}
