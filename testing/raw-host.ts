import { createServer, type Socket } from "node:net";
import { listenLocally } from "./local-server";

interface RawHost {
  url: string;
  /** Resolves when it has no open connection. */
  untilLeftAlone(): Promise<void>;
  close(): Promise<void>;
}

/** A local host that answers requests with any bytes, at any time, or not at all. */
export async function startRawHost(answer: (socket: Socket) => void): Promise<RawHost> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => {
      sockets.delete(socket);
      server.emit("left");
    });
    socket.once("data", () => answer(socket));
  });
  return {
    url: `http://127.0.0.1:${await listenLocally(server)}/hook`,
    async untilLeftAlone() {
      while (sockets.size > 0) await new Promise((resolve) => server.once("left", resolve));
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Writes the piece repeatedly until the other end hangs up. */
export function repeat(socket: Socket, piece: string, everyMs: number): void {
  const timer = setInterval(() => socket.write(piece), everyMs);
  socket.once("close", () => clearInterval(timer));
}
