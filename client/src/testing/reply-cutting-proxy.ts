import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface ReplyCuttingProxy {
  url: string;
  /** Replies cut off so far. */
  cuts(): number;
  stop(): Promise<void>;
}

/**
 * A loopback proxy in front of a service. Requests pass whole. When a reply arrives, after the service has acted, it randomly
 * cuts the connection before or within the reply.
 * @param chance returns a number from 0 to 1 per reply; below 0.25 it drops the reply, below 0.5 it cuts it
 */
export async function startReplyCuttingProxy(
  target: string,
  chance: () => number,
): Promise<ReplyCuttingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let cuts = 0;
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  };
  const server = createServer((caller) => {
    const service = connect(Number(port), hostname);
    track(caller);
    track(service);
    caller.pipe(service);
    service.on("data", (bytes) => {
      const luck = chance();
      if (luck >= 0.5) {
        caller.write(bytes);
        return;
      }
      cuts++;
      if (luck >= 0.25) caller.end(bytes.subarray(0, Math.floor(bytes.length * 0.6)));
      else caller.resetAndDestroy();
      service.destroy();
    });
    service.on("close", () => caller.end());
    caller.on("close", () => service.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cuts: () => cuts,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
