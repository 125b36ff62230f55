import { Socket } from "node:net";
import type { DatabaseAddress } from "./database-url";

/**
 * Destroys itself with an error after a silence, since server timeouts cannot help when the network is gone. It uses no
 * event listeners, because the driver removes them all when it upgrades the socket to TLS.
 */
class ImpatientSocket extends Socket {
  /** The driver reads the TLS host name from here. */
  host: string | undefined;
  port: number | undefined;
  /** The first byte from the server must accept TLS. The driver ignores a refusal and waits in vain. */
  mustEncrypt = false;

  override emit(event: string | symbol, ...rest: unknown[]): boolean {
    if (event === "timeout") this.destroy(silenceError(this.timeout ?? 0));
    if (event === "data" && this.mustEncrypt) {
      this.mustEncrypt = false;
      if ((rest[0] as Buffer)[0] !== ACCEPTS_TLS) {
        this.destroy(
          Object.assign(new Error("The server does not support TLS."), { code: "ERR_TLS_REFUSED" }),
        );
        return true;
      }
    }
    return super.emit(event as string, ...rest);
  }
}

const ACCEPTS_TLS = "S".charCodeAt(0);

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
  target: {
    host: string[];
    port: number[];
    path?: string | false;
    ssl?: DatabaseAddress["ssl"];
    sslnegotiation?: DatabaseAddress["sslnegotiation"];
  },
  silenceSeconds: number,
): Socket {
  const socket = new ImpatientSocket();
  socket.setNoDelay(true);
  socket.mustEncrypt = typeof target.ssl === "object" && target.sslnegotiation !== "direct";
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
