import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { Arrivals, listenLocally, stopServer } from "./local-server";

export interface Received {
  id: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

export interface Receiver {
  url: string;
  port: number;
  received: Received[];
  /** Sets how it answers from now on; 204 at first. */
  answerWith(answer: (response: ServerResponse, request: Received) => void): void;
  /** Resolves when `count` have arrived; rejects after `secondsMax`. */
  untilReceived(count: number, secondsMax?: number): Promise<Received[]>;
  close(): Promise<void>;
}

/** A local webhook receiver. */
export async function startReceiver(): Promise<Receiver> {
  const arrivals = new Arrivals<Received>("webhooks");
  let answer: (response: ServerResponse, request: Received) => void = (response) => {
    response.writeHead(204).end();
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = plainHeaders(request.headers);
    const one = {
      id: headers["webhook-id"] ?? "",
      path: request.url ?? "",
      headers,
      body: Buffer.concat(chunks).toString(),
    };
    arrivals.add(one);
    answer(response, one);
  });
  const port = await listenLocally(server);
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received: arrivals.all,
    answerWith(next) {
      answer = next;
    },
    untilReceived: (count, secondsMax) => arrivals.until(count, secondsMax),
    close: () => stopServer(server),
  };
}

const plainHeaders = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
