import { isPublicAddress, literalAddress } from "./address-rules";
import { URL_CHARS_MAX } from "./bounds";

/** What is wrong with the address of an endpoint, in words, or null. Names are looked up when something is sent, and checked then. */
export function urlFault(text: string, allowPrivate: boolean): string | null {
  if (text.length > URL_CHARS_MAX || !/^[\x21-\x7e]+$/.test(text) || !URL.canParse(text)) {
    return `must be a URL of at most ${URL_CHARS_MAX} printable ASCII characters`;
  }
  const url = new URL(text);
  if (url.protocol !== "https:" && !(allowPrivate && url.protocol === "http:"))
    return "must begin with https://";
  if (url.username || url.password) return "must not hold a name or a password";
  if (url.hash) return "must not have a fragment";
  const address = literalAddress(url.hostname);
  if (!allowPrivate && address !== null && !isPublicAddress(address)) return "must not be a private address";
  if (!allowPrivate && /(?:^|\.)localhost\.?$/i.test(url.hostname)) return "must not be this machine";
  return null;
}
