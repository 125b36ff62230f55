import { Socket } from "node:net";

/**
 * Ends itself with an error after a silence, which no timeout of the server can do when the network is gone. Listens to
 * no event for it: the driver removes every listener when it puts TLS over the socket.
 */
class ImpatientSocket extends Socket {
  /** Where the driver looks for the name that TLS has to prove. */
  host: string | undefined;
  port: number | undefined;

  override emit(event: string | symbol, ...rest: unknown[]): boolean {
    if (event === "timeout") this.destroy(silenceError(this.timeout ?? 0));
    return super.emit(event as string, ...rest);
  }
}

function silenceError(milliseconds: number): Error {
  const message = `The database did not answer for ${milliseconds / 1000} s.`;
  return Object.assign(new Error(message), { code: "ETIMEDOUT" });
}

/**
 * A connecting socket for the driver's `socket` option. It is destroyed with `ETIMEDOUT` when nothing was sent or
 * received for `silenceSeconds`.
 * @param target the driver's parsed options; `path` is a Unix socket.
 */
export function openSocket(
  target: { host: string[]; port: number[]; path?: string | false },
  silenceSeconds: number,
): Socket {
  const socket = new ImpatientSocket();
  socket.setNoDelay(true);
  socket.setTimeout(silenceSeconds * 1000);
  const { path } = target;
  // A connect that fails at once would tell so before the driver listens, and the driver would lose the connection.
  queueMicrotask(() => {
    if (path) return socket.connect(path);
    const [host = "localhost"] = target.host;
    const [port = 5432] = target.port;
    Object.assign(socket, { host, port });
    return socket.connect({ host, port });
  });
  return socket;
}
