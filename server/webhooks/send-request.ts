import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { isPublicAddress } from "./address-rules";
import { urlFault } from "./url-rules";

export interface SendOptions {
  /** Everything included: finding the host, connecting, sending, waiting for the status. */
  secondsMax: number;
  /** Also plain HTTP and addresses of private networks: for tests and closed networks. */
  allowPrivate: boolean;
  /** How names are looked up; the system's way when absent. */
  resolve?: (hostname: string) => Promise<LookupAddress[]>;
}

export interface SendOutcome {
  /** Null when there was no reply. */
  statusCode: number | null;
  /** In words for people; null when there was a reply. */
  failure: string | null;
  durationMs: number;
}

/** Most replies of 1xx before the one that counts: a host that sends nothing else would keep this process busy. */
const INFORMATIONAL_MAX = 20;

/**
 * Posts a body and gives the status. No redirect is followed, the reply's body is not read, and the connection goes to the
 * very address that was checked: a name that points elsewhere a moment later changes nothing. It ends within `secondsMax`,
 * whatever the host does.
 */
export async function sendRequest(
  url: string,
  headers: Record<string, string>,
  body: string,
  options: SendOptions,
): Promise<SendOutcome> {
  const startedAt = performance.now();
  const end = (statusCode: number | null, failure: string | null): SendOutcome => ({
    statusCode,
    failure,
    durationMs: Math.round(performance.now() - startedAt),
  });
  const fault = urlFault(url, options.allowPrivate);
  if (fault) return end(null, `The address ${fault}.`);
  try {
    return end(await post(new URL(url), headers, body, options), null);
  } catch (error) {
    return end(null, failureWords(error, options.secondsMax));
  }
}

function post(
  url: URL,
  headers: Record<string, string>,
  body: string,
  { secondsMax, allowPrivate, resolve = lookUp }: SendOptions,
): Promise<number> {
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((done, fail) => {
    const sent = request(url, {
      method: "POST",
      // A connection of its own: one that is kept could outlive what was known of its address.
      agent: false,
      headers: { ...headers, "Content-Length": Buffer.byteLength(body) },
      lookup: checkedLookup(resolve, allowPrivate),
    });
    const end = (settle: () => void) => {
      clearTimeout(timer);
      settle();
      sent.destroy();
    };
    // Not left to an event of the request: there are ends of which it tells nothing.
    const timer = setTimeout(() => end(() => fail(new TimeOver())), Math.ceil(secondsMax * 1000));
    sent.once("response", ({ statusCode = 0 }) => end(() => done(statusCode)));
    sent.once("upgrade", ({ statusCode = 0 }, socket) => {
      end(() => done(statusCode));
      socket.destroy();
    });
    let informational = 0;
    sent.on("information", () => {
      if (++informational > INFORMATIONAL_MAX) end(() => fail(new OnlyInformational()));
    });
    // It may come twice, and after the reply.
    sent.on("error", (error) => end(() => fail(error)));
    sent.once("close", () => end(() => fail(Object.assign(new Error(), { code: "ECONNRESET" }))));
    sent.end(body);
  });
}

const lookUp = (hostname: string) => lookup(hostname, { all: true });

class RefusedAddress extends Error {}
class TimeOver extends Error {}
class OnlyInformational extends Error {}

/** Gives the addresses of a name to the socket, and to nothing else, when every one of them may be called. */
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
  ENOTFOUND: "The host name is not known.",
  EAI_AGAIN: "The host name could not be looked up.",
  ECONNREFUSED: "The host refused the connection.",
  ECONNRESET: "The connection was cut.",
  EPIPE: "The connection was cut.",
  EHOSTUNREACH: "The host cannot be reached.",
  ENETUNREACH: "The host cannot be reached.",
  ETIMEDOUT: "The host did not answer.",
};

function failureWords(error: unknown, secondsMax: number): string {
  if (error instanceof RefusedAddress) return "The host name leads to a private address.";
  if (error instanceof TimeOver) return `No answer within ${secondsMax} s.`;
  if (error instanceof OnlyInformational) return "The host sent replies of 1xx and no other.";
  const { code = "" } = error as NodeJS.ErrnoException;
  if (/CERT|TLS|SSL|EPROTO|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code))
    return `The certificate or TLS failed (${code}).`;
  return WORDS[code] ?? "The request failed.";
}
