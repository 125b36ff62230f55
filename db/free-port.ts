import { randomInt } from "node:crypto";
import net from "node:net";

/** Outgoing connections use ports from 32,768 up on Linux, and higher ones elsewhere. */
const LOWEST = 20_000;
const OUTGOING_FROM = 32_768;
const ATTEMPTS_MAX = 50;

/**
 * A free port on 127.0.0.1, outside the range of outgoing connections, so that it stays free while its server restarts.
 * @throws Error when no port can be bound
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const port = await bindPort(randomInt(LOWEST, OUTGOING_FROM));
    if (port) return port;
  }
  const port = await bindPort(0);
  if (!port) throw new Error("Cannot listen on any TCP port of 127.0.0.1.");
  return port;
}

/** Returns the port, or null if it is in use. 0 means any port. */
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
