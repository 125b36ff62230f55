import { createServer, type Socket } from "node:net";
import { Arrivals, listenLocally } from "./local-server";

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

export interface MailSink {
  url: string;
  port: number;
  mails: ReceivedMail[];
  /** Every line that was sent to it, message bodies excluded. */
  commands: string[];
  /** Clients that are connected now. */
  readonly connections: number;
  refuseWith(refusal: Refusal): void;
  /** Resolves when `count` mails have arrived; rejects after `secondsMax`. */
  untilMailed(count: number, secondsMax?: number): Promise<ReceivedMail[]>;
  close(): Promise<void>;
}

/** A local mail server that keeps what it receives. It offers no encryption. `isSilent`: it never answers a mail's content. */
export async function startMailSink({ auth = false, isSilent = false } = {}): Promise<MailSink> {
  const arrivals = new Arrivals<ReceivedMail>("mails");
  const commands: string[] = [];
  const sockets = new Set<Socket>();
  let refusal: Refusal = () => undefined;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", () => undefined);
    converse(socket, {
      hasAuth: auth,
      isSilent,
      refusalOf: (command) => refusal(command),
      note: (command) => commands.push(command),
      keep: (mail) => arrivals.add(mail),
    });
  });
  const port = await listenLocally(server);
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    mails: arrivals.all,
    commands,
    get connections() {
      return sockets.size;
    },
    refuseWith(next) {
      refusal = next;
    },
    untilMailed: (count, secondsMax) => arrivals.until(count, secondsMax),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

interface Conversation {
  hasAuth: boolean;
  isSilent: boolean;
  refusalOf: Refusal;
  note(command: string): void;
  keep(mail: ReceivedMail): void;
}

function converse(socket: Socket, { hasAuth, isSilent, refusalOf, note, keep }: Conversation): void {
  let unread = "";
  let from = "";
  let to: string[] = [];
  let data: string[] | null = null;
  const say = (line: string) => socket.write(`${line}\r\n`);
  const onCommand = (line: string): void => {
    note(line);
    const refused = refusalOf(line);
    if (refused) return void say(refused);
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === "EHLO") return void say(hasAuth ? "250-sink\r\n250 AUTH PLAIN" : "250 sink");
    if (verb === "AUTH") return void say("235 2.7.0 Accepted");
    if (verb === "MAIL") from = addressIn(line);
    if (verb === "RCPT") to.push(addressIn(line));
    if (verb === "DATA") {
      data = [];
      return void say("354 Go ahead");
    }
    if (verb === "QUIT") return void socket.end("221 Bye\r\n");
    say("250 2.1.0 OK");
  };
  const onData = (line: string): void => {
    if (line !== ".") return void data!.push(line.replace(/^\.\./, "."));
    keep(readMail(from, to, data!));
    data = null;
    to = [];
    if (!isSilent) say("250 2.0.0 OK: queued as SINK");
  };
  say("220 sink ESMTP");
  socket.on("data", (chunk) => {
    unread += chunk.toString("utf8");
    for (let end = unread.indexOf("\r\n"); end !== -1; end = unread.indexOf("\r\n")) {
      const line = unread.slice(0, end);
      unread = unread.slice(end + 2);
      if (data) onData(line);
      else onCommand(line);
    }
  });
}

const addressIn = (line: string) => /<([^>]*)>/.exec(line)?.[1] ?? "";

function readMail(from: string, to: string[], lines: string[]): ReceivedMail {
  const blank = lines.indexOf("");
  const headers = lines
    .slice(0, blank)
    .join("\r\n")
    .replaceAll(/\r\n[ \t]+/g, " ")
    .split("\r\n");
  const header = (name: string) =>
    headers
      .find((line) => line.toLowerCase().startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim() ?? "";
  const body = lines.slice(blank + 1).join("\n");
  const encoding = header("content-transfer-encoding").toLowerCase();
  return { from, to, headers, subject: decodeWords(header("subject")), text: decode(body, encoding) };
}

function decode(body: string, encoding: string): string {
  if (encoding === "base64") return Buffer.from(body, "base64").toString("utf8");
  if (encoding !== "quoted-printable") return body;
  return unquote(body.replaceAll(/=\n/g, ""));
}

const unquote = (text: string) =>
  Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  ).toString("utf8");

/** RFC 2047 words. */
const decodeWords = (text: string) =>
  text
    .replaceAll(/\?= =\?/g, "?==?")
    .replaceAll(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_, kind: string, coded: string) =>
      kind.toUpperCase() === "B"
        ? Buffer.from(coded, "base64").toString("utf8")
        : unquote(coded.replaceAll("_", " ")),
    );
