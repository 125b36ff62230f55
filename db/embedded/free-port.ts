import { randomInt } from "node:crypto";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Outgoing connections use ports from 32,768 up on Linux, and higher ones elsewhere. */
const [PORTS_FROM, PORTS_BELOW] = [20_000, 32_768];
const PORTS_TRIED_MAX = 50;

/** A port on 127.0.0.1 that outgoing connections do not take, so that it stays free during a restart. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < PORTS_TRIED_MAX; tried++) {
    const port = randomInt(PORTS_FROM, PORTS_BELOW);
    if (await isFree(port)) return port;
  }
  throw new Error("Cannot listen on any TCP port of 127.0.0.1.");
}

const LEFTOVER_PORT_MS = 5000;

/** What a killed server was starting may hold its port for a moment. Apps would not find another one. */
export async function becomesFree(port: number): Promise<boolean> {
  for (const begun = performance.now(); performance.now() - begun < LEFTOVER_PORT_MS; await sleep(100))
    if (await isFree(port)) return true;
  return false;
}

export const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = net.createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
