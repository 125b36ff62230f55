import type { IncomingMessage, ServerResponse } from "node:http";
import { Server } from "node:http";
import type { Duplex } from "node:stream";

export interface NextApp {
  handle(message: IncomingMessage, reply: ServerResponse): Promise<void>;
  /** The hot reload socket, only in development. */
  upgrade(message: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): Promise<void>;
}

/** Starts Next on the built app, or on the sources in development. */
export async function startNext(options: {
  dev: boolean;
  dir: string;
  port: number;
  hostname: string;
}): Promise<NextApp> {
  const { default: next } = await import("next");
  // Next adds an upgrade listener to its server. On ours it would take over every request that offers HTTP/2
  // (`Upgrade: h2c`), so it gets a server that never listens.
  const nowhere = new Server();
  const app = next({ ...options, httpServer: nowhere, quiet: true });
  await app.prepare();
  const handle = app.getRequestHandler();
  return {
    handle: (message, reply) => handle(message, reply),
    upgrade(message, socket, head) {
      if (!nowhere.emit("upgrade", message, socket, head)) socket.destroy();
    },
    close: () => app.close(),
  };
}
