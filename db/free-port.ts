import { randomInt } from "node:crypto";
import net from "node:net";

/** Outgoing connections are given ports from 32,768 up (Linux; elsewhere from higher still). */
const LOWEST = 20_000;
const OUTGOING_FROM = 32_768;
const ATTEMPTS_MAX = 50;

/**
 * A port of 127.0.0.1 that nobody listens on, and that no outgoing connection takes while whoever listens there restarts.
 * @throws Error when none can be listened on
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const port = await bindPort(randomInt(LOWEST, OUTGOING_FROM));
    if (port) return port;
  }
  const port = await bindPort(0);
  if (!port) throw new Error("No TCP port of 127.0.0.1 can be listened on.");
  return port;
}

/** The port, or null when it is taken; 0 is any. */
export function bindPort(wanted: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once("error", () => resolve(null));
    server.listen(wanted, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(address && typeof address === "object" ? address.port : null));
    });
  });
}
