import { Agent, request as httpRequest } from "node:http";
import type { SentRequest } from "./rest-request";

export interface RawReply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 4 });

/** Sends a request as is: the path is not normalized, a GET may have a body, headers may repeat. */
export function sendRaw(baseUrl: string, sent: SentRequest): Promise<RawReply> {
  const { host, hostname, port } = new URL(baseUrl);
  const length =
    sent.body.length === 1 ? [["Content-Length", String(sent.body[0]!.byteLength)] as const] : [];
  const chunked = sent.body.length > 1 ? [["Transfer-Encoding", "chunked"] as const] : [];
  const headers = [["Host", host] as const, ...sent.headers, ...length, ...chunked].flat();
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { agent, hostname, port, path: sent.path, method: sent.method, headers },
      (reply) => {
        let text = "";
        reply.setEncoding("utf8");
        reply.on("data", (chunk: string) => {
          text += chunk;
        });
        reply.on("end", () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text }));
        reply.on("error", reject);
      },
    );
    request.on("error", reject);
    for (const chunk of sent.body) request.write(chunk);
    request.end();
  });
}
