import { isPublicAddress, literalAddress } from "./address-rules";
import { URL_CHARS_MAX } from "./bounds";

/** Of `https` URLs, unless WEBHOOK_PORTS says otherwise. */
export const PORTS_DEFAULT: readonly number[] = [443];

/**
 * What is wrong with an endpoint's URL, or null. Host names are resolved and checked when a delivery is sent.
 * @param allowPrivate also allows plain HTTP and any port
 */
export function urlError(text: string, allowPrivate: boolean, ports = PORTS_DEFAULT): string | null {
  if (text.length > URL_CHARS_MAX || !/^[\x21-\x7e]+$/.test(text) || !URL.canParse(text)) {
    return `must be a URL of at most ${URL_CHARS_MAX} printable ASCII characters`;
  }
  const url = new URL(text);
  if (url.protocol !== "https:" && !(allowPrivate && url.protocol === "http:"))
    return "must start with https://";
  if (url.username || url.password) return "must not contain a user name or password";
  if (url.hash) return "must not have a fragment";
  if (!allowPrivate && !ports.includes(Number(url.port || 443)))
    return `must use ${ports.length === 1 ? "port" : "one of the ports"} ${ports.join(", ")}`;
  const address = literalAddress(url.hostname);
  if (!allowPrivate && address !== null && !isPublicAddress(address))
    return "must not point to a private address";
  if (!allowPrivate && /(?:^|\.)localhost\.?$/i.test(url.hostname)) return "must not point to localhost";
  return null;
}
