import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { listenLocally, stopServer } from "../local-server";

export interface Exchange {
  method: string;
  path: string;
  /** The status that specmatic expects; its own requests outside its tests have none. */
  expected: string;
  status: number;
}

export interface RecordingProxy {
  url: string;
  exchanges: readonly Exchange[];
  stop(): Promise<void>;
}

/** Passes requests on unchanged and records each test with its answer. Listens on 127.0.0.1. */
export async function startRecordingProxy(target: string): Promise<RecordingProxy> {
  const exchanges: Exchange[] = [];
  const { hostname, port } = new URL(target);
  const pass = (sent: IncomingMessage, reply: ServerResponse) => {
    const { method = "", url: path = "", headers } = sent;
    const onward = request({ hostname, port, method, path, headers }, (answer) => {
      const status = answer.statusCode ?? 0;
      const expected = headers["specmatic-response-code"];
      if (expected) exchanges.push({ method, path, expected: String(expected), status });
      reply.writeHead(status, answer.rawHeaders);
      answer.pipe(reply);
    });
    onward.on("error", (error) => reply.writeHead(502).end(error.message));
    sent.pipe(onward);
  };
  const server = createServer(pass);
  return {
    url: `http://127.0.0.1:${await listenLocally(server)}`,
    exchanges,
    stop: () => stopServer(server),
  };
}
