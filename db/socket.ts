import { Socket } from "node:net";

/**
 * Destroys itself with an error after a silence, since server timeouts cannot help when the network is gone. It uses no
 * event listeners, because the driver removes them all when it upgrades the socket to TLS.
 */
class ImpatientSocket extends Socket {
  /** The driver reads the TLS host name from here. */
  host: string | undefined;
  port: number | undefined;

  override emit(event: string | symbol, ...rest: unknown[]): boolean {
    if (event === "timeout") this.destroy(silenceError(this.timeout ?? 0));
    return super.emit(event as string, ...rest);
  }
}

function silenceError(milliseconds: number): Error {
  const message = `The database did not respond for ${milliseconds / 1000} s.`;
  return Object.assign(new Error(message), { code: "ETIMEDOUT" });
}

/**
 * A connecting socket for the driver's `socket` option. It is destroyed with `ETIMEDOUT` when nothing is sent or received for
 * `silenceSeconds`.
 * @param target the driver's parsed options; `path` is a Unix socket
 */
export function openSocket(
  target: { host: string[]; port: number[]; path?: string | false },
  silenceSeconds: number,
): Socket {
  const socket = new ImpatientSocket();
  socket.setNoDelay(true);
  socket.setTimeout(silenceSeconds * 1000);
  const { path } = target;
  // If connecting fails immediately, the error would come before the driver listens, and it would lose the connection.
  queueMicrotask(() => {
    if (path) return socket.connect(path);
    const [host = "localhost"] = target.host;
    const [port = 5432] = target.port;
    Object.assign(socket, { host, port });
    return socket.connect({ host, port });
  });
  return socket;
}
