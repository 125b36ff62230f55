import ipaddr from "ipaddr.js";

/** The groups of a /64. A single subscriber has a whole one, so limits per IPv6 address would have no effect. */
const NETWORK_GROUPS = 4;

/**
 * The client's IP address for rate limits: as seen by the outermost trusted proxy, or the socket's peer when no proxy is
 * trusted. IPv6 addresses are reduced to their /64 network.
 *
 * @param forwardedFor `X-Forwarded-For`, to which every proxy appends the address of its client
 */
export function clientAddress(
  forwardedFor: string | null,
  peer: string | undefined,
  trustedHops: number,
): string {
  const hops = [...(forwardedFor?.split(",").map((part) => part.trim()) ?? []), peer ?? "unknown"];
  const seen = hops[Math.max(0, hops.length - 1 - trustedHops)]!;
  return toNetwork(seen.slice(0, 64));
}

/** The same behind our own host or a platform, which set `X-Forwarded-For` to one address or append the one they saw. */
export function pageClientAddress(forwardedFor: string | null, trustedHops: number): string {
  return clientAddress(forwardedFor, forwardedFor?.split(",").at(-1)?.trim(), trustedHops);
}

function toNetwork(address: string): string {
  const [bare = ""] = address.replace(/^\[|\].*$/g, "").split("%");
  if (!ipaddr.IPv6.isValid(bare)) return address;
  const ip = ipaddr.IPv6.parse(bare);
  if (ip.isIPv4MappedAddress()) return ip.toIPv4Address().toString();
  const network = ip.parts.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${network.join(":")}::/64`;
}
