import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { isPublicAddress, urlError } from "./address-rules";

export interface SendOptions {
  /** Total time for DNS, connecting, sending and waiting for the status. */
  secondsMax: number;
  /** Allows plain HTTP and private addresses, for tests and closed networks. */
  allowPrivate: boolean;
  /** Ports of `https` URLs; 443 by default. */
  ports?: readonly number[];
  /** Also returns up to this many bytes of the answer's body. By default the body is not read. */
  answerBytesMax?: number;
  /** Defaults to the system's resolver. */
  resolve?: (hostname: string) => Promise<LookupAddress[]>;
}

export interface SendOutcome {
  /** Null when there was no response. */
  statusCode: number | null;
  /** Shown to users. Null when there was a response. */
  failure: string | null;
  durationMs: number;
  /** How many seconds the receiver asks to wait (`Retry-After`), at most a day; absent if it does not. */
  retryAfterSeconds?: number;
  /** The start of the answer's body, when `answerBytesMax` asks for it. */
  answer?: string;
}

/** Max 1xx responses before the final one. A host that sends nothing else would keep this process busy. */
const INFORMATIONAL_MAX = 20;

/**
 * Posts a body and returns the status within `secondsMax`. Follows no redirects and reads no response body
 * unless asked. Connects to the address that was checked, whatever the name resolves to later.
 */
export async function sendRequest(
  url: string,
  headers: Record<string, string>,
  body: string,
  options: SendOptions,
): Promise<SendOutcome> {
  const startedAt = performance.now();
  const end = (
    statusCode: number | null,
    failure: string | null,
    reply: Partial<Reply> = {},
  ): SendOutcome => ({
    ...reply,
    statusCode,
    failure,
    durationMs: Math.round(performance.now() - startedAt),
  });
  const problem = urlError(url, options.allowPrivate, options.ports);
  if (problem) return end(null, `The URL ${problem}.`);
  try {
    const reply = await post(new URL(url), headers, body, options);
    return end(reply.statusCode, null, reply);
  } catch (error) {
    return end(null, failureWords(error, options.secondsMax));
  }
}

interface Reply {
  statusCode: number;
  retryAfterSeconds?: number;
  answer?: string;
}

const RETRY_AFTER_SECONDS_MAX = 86_400;

/** Reads seconds or an HTTP date (RFC 9110). A date in the past and anything unreadable ask for nothing. */
export function readRetryAfter(header: string | undefined, nowMs = Date.now()): number | undefined {
  if (header === undefined) return undefined;
  // `Date.parse` also reads much that is no HTTP date.
  const dateMs = header.endsWith(" GMT") ? Date.parse(header) : Number.NaN;
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((dateMs - nowMs) / 1000);
  return seconds > 0 ? Math.min(seconds, RETRY_AFTER_SECONDS_MAX) : undefined;
}

function post(
  url: URL,
  headers: Record<string, string>,
  body: string,
  { secondsMax, allowPrivate, answerBytesMax, resolve = lookUp }: SendOptions,
): Promise<Reply> {
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((done, fail) => {
    const sent = request(url, {
      method: "POST",
      // A kept-alive connection could outlive the check of its address.
      agent: false,
      headers: { ...headers, "Content-Length": Buffer.byteLength(body) },
      lookup: checkedLookup(resolve, allowPrivate),
    });
    const end = (settle: () => void) => {
      clearTimeout(timer);
      settle();
      sent.destroy();
    };
    // A separate timer, because some ways for a request to end emit no event.
    const timer = setTimeout(() => end(() => fail(new TimeOver())), Math.ceil(secondsMax * 1000));
    sent.once("response", (response) => {
      const { statusCode = 0, headers } = response;
      const retryAfterSeconds = readRetryAfter(headers["retry-after"]);
      const reply = { statusCode, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
      if (answerBytesMax === undefined) end(() => done(reply));
      else startOf(response, answerBytesMax, (answer) => end(() => done({ ...reply, answer })));
    });
    sent.once("upgrade", ({ statusCode = 0 }, socket) => {
      end(() => done({ statusCode }));
      socket.destroy();
    });
    let informational = 0;
    sent.on("information", () => {
      if (++informational > INFORMATIONAL_MAX) end(() => fail(new OnlyInformational()));
    });
    // May be emitted twice, and after the response.
    sent.on("error", (error) => end(() => fail(error)));
    sent.once("close", () => end(() => fail(Object.assign(new Error(), { code: "ECONNRESET" }))));
    sent.end(body);
  });
}

/** How long to wait for the body of an answer whose status is known. */
const ANSWER_MS_MAX = 2000;

/** The first bytes of a body when they, or its end, have arrived, or what there is after two seconds. */
function startOf(response: IncomingMessage, bytesMax: number, use: (text: string) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const end = () => {
    clearTimeout(timer);
    use(Buffer.concat(chunks).subarray(0, bytesMax).toString("utf8"));
  };
  const timer = setTimeout(end, ANSWER_MS_MAX);
  response.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= bytesMax) end();
  });
  response.once("close", end);
}

const lookUp = (hostname: string) => lookup(hostname, { all: true });

class RefusedAddress extends Error {}
class TimeOver extends Error {}
class OnlyInformational extends Error {}

/** Passes a name's addresses to the socket only if every one of them may be called. */
function checkedLookup(
  resolve: (hostname: string) => Promise<LookupAddress[]>,
  allowPrivate: boolean,
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (!first || (!allowPrivate && !addresses.every(({ address }) => isPublicAddress(address)))) {
          callback(new RefusedAddress(hostname), []);
        } else if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

const WORDS: Record<string, string> = {
  ENOTFOUND: "The host name does not exist.",
  EAI_AGAIN: "The host name could not be looked up.",
  ECONNREFUSED: "The host refused the connection.",
  ECONNRESET: "The connection was closed.",
  EPIPE: "The connection was closed.",
  EHOSTUNREACH: "The host is unreachable.",
  ENETUNREACH: "The host is unreachable.",
  ETIMEDOUT: "The host did not respond.",
};

function failureWords(error: unknown, secondsMax: number): string {
  if (error instanceof RefusedAddress) return "The host name resolves to a private address.";
  if (error instanceof TimeOver) return `No response within ${secondsMax} s.`;
  if (error instanceof OnlyInformational) return "The host sent only 1xx responses.";
  const { code = "" } = error as NodeJS.ErrnoException;
  if (/CERT|TLS|SSL|EPROTO|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code))
    return `TLS error (${code}). Check the certificate.`;
  return WORDS[code] ?? "The request failed.";
}
