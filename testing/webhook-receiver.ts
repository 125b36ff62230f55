import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

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
  const received: Received[] = [];
  const waiting = new Set<() => void>();
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
    received.push(one);
    for (const wake of waiting) wake();
    answer(response, one);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    answerWith(next) {
      answer = next;
    },
    async untilReceived(count, secondsMax = 20) {
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`${received.length} of ${count} webhooks arrived in ${secondsMax} s`)),
          secondsMax * 1000,
        );
        const look = () => {
          if (received.length < count) return;
          clearTimeout(timer);
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      });
      return received;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const plainHeaders = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
