import ipaddr from "ipaddr.js";

/** All of the IPv6 internet that is given out; what lies beside it (NAT64 of one's own network, IPv4-compatible) is not. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Whether an address is one of the public internet: not private, loopback, link-local (where clouds answer about a
 * machine), carrier-grade NAT, multicast, reserved, and none that carries an IPv4 address inside.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  return !(parsed instanceof ipaddr.IPv6) || parsed.match(GLOBAL_UNICAST);
}

/** The literal address that a URL's host is, or null for a name. `URL` has turned `127.1`, `0x7f.1` and `2130706433` into one. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.replace(/^\[|\]$/g, "");
  return ipaddr.isValid(bare) ? bare : null;
}
