import ipaddr from "ipaddr.js";

/** The allocated part of the IPv6 internet. Private NAT64 prefixes and IPv4-compatible addresses are outside it. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/** Cloud metadata services at addresses of public ranges: Azure's, and Equinix Metal's. */
const METADATA_ADDRESSES = ["168.63.129.16", "192.80.8.124"];

/**
 * Whether an address is on the public internet. Not private, loopback, link-local (cloud metadata), carrier-grade NAT,
 * multicast, reserved, or an IPv6 address that embeds an IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  if (parsed instanceof ipaddr.IPv6) return parsed.match(GLOBAL_UNICAST) && !isIsatap(parsed);
  return !METADATA_ADDRESSES.includes(parsed.toString());
}

/** An interface id of `00-00-5e-fe` and an IPv4 address, under any prefix (RFC 5214). Two bits of it may vary. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return (parts[4]! & 0xfcff) === 0 && parts[5] === 0x5efe;
}

/** The IP address if a URL's host is one, or null for a name. `URL` already normalizes `127.1`, `0x7f.1` and `2130706433`. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.replace(/^\[|\]$/g, "");
  return ipaddr.isValid(bare) ? bare : null;
}
