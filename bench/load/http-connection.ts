import { connect, type Socket } from "node:net";

export interface HttpReply {
  status: number;
  /** The raw head and body. */
  bytes: Buffer;
}

/**
 * One keep-alive connection that sends prepared requests one after the other. It parses only what the peers answer, because
 * on two cores the load takes CPU from what it measures.
 */
export class HttpConnection {
  readonly #socket: Socket;
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** Bytes of the whole reply; 0 until its head has arrived. */
  #wanted = 0;
  #isChunked = false;
  #settle: { resolve(reply: HttpReply): void; reject(error: Error): void } | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on("data", (chunk) => this.#receive(chunk));
    socket.on("error", (error) => this.#settle?.reject(error));
    socket.on("close", () => this.#settle?.reject(new Error("the service closed a connection")));
  }

  static open(url: string): Promise<HttpConnection> {
    const { hostname, port } = new URL(url);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => resolve(new HttpConnection(socket)));
      socket.once("error", reject);
    });
  }

  send(request: Buffer): Promise<HttpReply> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#settle = null;
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#wanted === 0 && !this.#isChunked) this.#readHead();
    const ended = this.#isChunked
      ? chunk.subarray(-5).toString("latin1") === "0\r\n\r\n"
      : this.#wanted > 0 && this.#bytes >= this.#wanted;
    if (ended) this.#finish();
  }

  #readHead(): void {
    const bytes = Buffer.concat(this.#chunks);
    this.#chunks = [bytes];
    const end = bytes.indexOf("\r\n\r\n");
    if (end === -1) return;
    const head = bytes.toString("latin1", 0, end);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    this.#isChunked = /\r\ntransfer-encoding: *chunked/i.test(head);
    this.#wanted = end + 4 + Number(length ?? 0);
  }

  #finish(): void {
    const bytes = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#bytes = 0;
    this.#wanted = 0;
    this.#isChunked = false;
    const settle = this.#settle;
    this.#settle = null;
    settle?.resolve({ status: Number(bytes.toString("latin1", 9, 12)), bytes });
  }
}
