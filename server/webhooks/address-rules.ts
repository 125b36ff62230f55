import ipaddr from "ipaddr.js";
import { settings } from "@/server/kernel/settings";
import { URL_CHARS_MAX } from "./schema";

export interface WebhookRules {
  serviceSecret: string;
  /** Also opens what it sealed, until that is sealed anew. */
  previousServiceSecret?: string | undefined;
  allowPrivate: boolean;
  ports?: readonly number[];
}

export function webhookRules(): WebhookRules {
  const { AUTH_SECRET, AUTH_SECRET_PREVIOUS, WEBHOOK_ALLOW_PRIVATE, WEBHOOK_PORTS } = settings();
  return {
    serviceSecret: AUTH_SECRET!,
    previousServiceSecret: AUTH_SECRET_PREVIOUS,
    allowPrivate: WEBHOOK_ALLOW_PRIVATE,
    ports: WEBHOOK_PORTS,
  };
}

/** Ports of `https` URLs, unless WEBHOOK_PORTS says otherwise. */
const PORTS_DEFAULT: readonly number[] = [443];

const portOf = (ports: readonly number[]) =>
  `${ports.length === 1 ? "port" : "one of the ports"} ${ports.join(", ")}`;

/** What is wrong with an endpoint's URL, or null. Names are resolved when sending. */
export function urlError(text: string, allowPrivate: boolean, ports = PORTS_DEFAULT): string | null {
  if (text.length > URL_CHARS_MAX || !/^[\x21-\x7e]+$/.test(text) || !URL.canParse(text))
    return `must be a URL of at most ${URL_CHARS_MAX} printable ASCII characters`;
  const url = new URL(text);
  if (url.protocol !== "https:" && !(allowPrivate && url.protocol === "http:"))
    return "must start with https://";
  if (url.username || url.password) return "must not contain a user name or password";
  if (url.hash) return "must not have a fragment";
  if (allowPrivate) return null;
  if (!ports.includes(Number(url.port || 443))) return `must use ${portOf(ports)}`;
  // `URL` has already normalized `127.1`, `0x7f.1` and `2130706433`.
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (ipaddr.isValid(host) && !isPublicAddress(host)) return "must not point to a private address";
  if (/(?:^|\.)localhost\.?$/i.test(host)) return "must not point to localhost";
  return null;
}

/** Which URLs this host accepts, for the form that asks for one. */
export function urlHint({ allowPrivate, ports = PORTS_DEFAULT }: WebhookRules): string {
  if (allowPrivate) return "Starts with https:// or http://. Private addresses are accepted.";
  return `Must be public and start with https://${ports === PORTS_DEFAULT ? "" : `, with ${portOf(ports)}`}`;
}

/** The allocated part of the IPv6 internet, without private NAT64 prefixes and IPv4-compatible addresses. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/** Cloud metadata services at addresses of public ranges: Azure's, and Equinix Metal's. */
const METADATA_ADDRESSES = ["168.63.129.16", "192.80.8.124"];

/**
 * Whether an address is on the public internet. Not private, loopback, link-local (cloud metadata),
 * carrier-grade NAT, multicast, reserved, or an IPv6 address that embeds an IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  if (parsed instanceof ipaddr.IPv6) return parsed.match(GLOBAL_UNICAST) && !isIsatap(parsed);
  return !METADATA_ADDRESSES.includes(parsed.toString());
}

/** Any prefix with an interface id of `00-00-5e-fe` and an IPv4 address (RFC 5214). Two bits may vary. */
const isIsatap = ({ parts }: ipaddr.IPv6): boolean => (parts[4]! & 0xfcff) === 0 && parts[5] === 0x5efe;
