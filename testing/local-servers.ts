import { createServer as createHttpServer, type Server as HttpServer, type ServerResponse } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { text } from "node:stream/consumers";
// Not the global one, which some tests stop.
import { setTimeout as sleep } from "node:timers/promises";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";

/** Starts a server on a free port of 127.0.0.1. @returns the port */
export async function listenLocally(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

/** Stops a server and breaks its connections. */
export function stopServer(server: HttpServer): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Polls until `count` have arrived; rejects after `secondsMax`, which is long: a busy machine is slow. */
async function untilArrived<T>(arrived: T[], count: number, secondsMax = 100): Promise<T[]> {
  for (let waitedMs = 0; arrived.length < count; waitedMs += 5) {
    if (waitedMs > secondsMax * 1000)
      throw new Error(`${arrived.length} of ${count} arrived in ${secondsMax} s`);
    await sleep(5);
  }
  return arrived;
}

export interface Received {
  id: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}
type Answer = (response: ServerResponse, request: Received) => void;
export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** A local webhook receiver. */
export async function startReceiver() {
  const received: Received[] = [];
  let answer: Answer = (response) => response.writeHead(204).end();
  const server = createHttpServer(async (request, response) => {
    const body = await text(request);
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const id = headers["webhook-id"] ?? "";
    const one = { id, path: request.url ?? "", headers, body };
    received.push(one);
    answer(response, one);
  });
  const port = await listenLocally(server);
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    /** Sets how it answers from now on; 204 at first. */
    answerWith(next: Answer) {
      answer = next;
    },
    untilReceived: (count: number, secondsMax?: number) => untilArrived(received, count, secondsMax),
    close: () => stopServer(server),
  };
}

/** A TCP server that keeps its connections. */
async function listenRaw(converse: (socket: Socket) => void, tls?: TlsOptions) {
  const sockets = new Set<Socket>();
  const onSocket = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => {
      sockets.delete(socket);
      server.emit("left");
    });
    converse(socket);
  };
  const server = tls ? createTlsServer(tls, onSocket) : createServer(onSocket);
  return {
    port: await listenLocally(server),
    sockets,
    /** Resolves when it has no open connection. */
    async untilLeftAlone() {
      while (sockets.size > 0) await new Promise((resolve) => server.once("left", resolve));
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** A local host that answers requests with any bytes, at any time, or not at all. */
export async function startRawHost(answer: (socket: Socket) => void) {
  const server = await listenRaw((socket) => socket.once("data", () => answer(socket)));
  return { ...server, url: `http://127.0.0.1:${server.port}/hook` };
}

/** Writes the piece repeatedly until the other end hangs up. */
export function repeat(socket: Socket, piece: string, everyMs: number): void {
  const timer = setInterval(() => socket.write(piece), everyMs);
  socket.once("close", () => clearInterval(timer));
}

export interface ReceivedMail {
  from: string;
  to: string[];
  /** As sent, one entry per header line, unfolded. */
  headers: string[];
  subject: string;
  text: string;
}
/** What the sink answers to a command, or undefined to accept it. */
type Refusal = (command: string) => string | undefined;
export type MailSink = Awaited<ReturnType<typeof startMailSink>>;

/**
 * A local mail server that keeps what it receives. `isSilent`: it never answers a mail's content. Without
 * `tls` it offers no encryption, and with it, it starts with TLS.
 */
export async function startMailSink({
  auth = false,
  isSilent = false,
  tls = undefined as TlsOptions | undefined,
} = {}) {
  const mails: ReceivedMail[] = [];
  /** Every line that was sent to it, message bodies excluded. */
  const commands: string[] = [];
  let refusal: Refusal = () => undefined;
  const accepted: Record<string, string> = {
    EHLO: auth ? "250-sink\r\n250 AUTH PLAIN" : "250 sink",
    AUTH: "235 2.7.0 Accepted",
    DATA: "354 Go ahead",
    QUIT: "221 Bye",
  };
  const { sockets, ...server } = await listenRaw((socket) => {
    let unread = "";
    let envelope: string[] = [];
    let data: string[] | null = null;
    const say = (line: string) => socket.write(`${line}\r\n`);
    const take = (line: string): void => {
      if (data && line !== ".") return void data.push(line.replace(/^\.\./, "."));
      if (data) {
        mails.push(readMail(envelope, data));
        data = null;
        if (!isSilent) say("250 2.0.0 OK: queued as SINK");
        return;
      }
      commands.push(line);
      const refused = refusal(line);
      if (refused) return void say(refused);
      const verb = line.slice(0, 4).toUpperCase();
      if (verb === "MAIL") envelope = [];
      if (verb === "MAIL" || verb === "RCPT") envelope.push(/<([^>]*)>/.exec(line)?.[1] ?? "");
      if (verb === "DATA") data = [];
      say(accepted[verb] ?? "250 2.1.0 OK");
      if (verb === "QUIT") socket.end();
    };
    say("220 sink ESMTP");
    socket.on("data", (chunk) => {
      const lines = (unread + chunk.toString("utf8")).split("\r\n");
      unread = lines.pop()!;
      for (const line of lines) take(line);
    });
  }, tls);
  return {
    ...server,
    url: `smtp://127.0.0.1:${server.port}`,
    mails,
    commands,
    /** Clients that are connected now. */
    connections: () => sockets.size,
    refuseWith(next: Refusal) {
      refusal = next;
    },
    untilMailed: (count: number) => untilArrived(mails, count),
  };
}

function readMail([from = "", ...to]: string[], lines: string[]): ReceivedMail {
  const blank = lines.indexOf("");
  const unfolded = lines
    .slice(0, blank)
    .join("\r\n")
    .replaceAll(/\r\n[ \t]+/g, " ");
  const headers = unfolded.split("\r\n");
  const header = (name: string) =>
    headers.find((line) => line.toLowerCase().startsWith(`${name}: `))?.slice(name.length + 2) ?? "";
  const body = lines.slice(blank + 1).join("\n");
  const encoding = header("content-transfer-encoding").toLowerCase();
  const text = encoding === "7bit" ? body : decode(encoding[0]!, body.replaceAll("=\n", ""));
  const subject = header("subject")
    .replaceAll("?= =?", "?==?")
    .replaceAll(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_, kind: string, coded: string) =>
      decode(kind.toLowerCase(), coded.replaceAll("_", " ")),
    );
  return { from, to, headers, subject, text };
}

/** Base64 (`b`) or quoted-printable (`q`). */
const decode = (kind: string, coded: string): string =>
  kind === "b"
    ? Buffer.from(coded, "base64").toString("utf8")
    : Buffer.from(
        coded.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
          String.fromCharCode(Number.parseInt(hex, 16)),
        ),
        "latin1",
      ).toString("utf8");
