import ipaddr from "ipaddr.js";

/** The groups of a /64. A subscriber has a whole one, so limits per IPv6 address would have no effect. */
const NETWORK_GROUPS = 4;

/** The address that the outermost trusted proxy saw, or the socket's peer. Of IPv6, its /64 network. */
export function clientAddress(
  forwardedFor: string | null,
  peer: string | undefined,
  trustedHops: number,
): string {
  const hops = [...(forwardedFor?.split(",").map((part) => part.trim()) ?? []), peer ?? "unknown"];
  const seen = hops[Math.max(0, hops.length - 1 - trustedHops)]!;
  return toNetwork(seen.slice(0, 64));
}

/** The same behind our own host or a platform, whose `X-Forwarded-For` ends in the address they saw. */
export const pageClientAddress = (forwardedFor: string | null, trustedHops: number): string =>
  clientAddress(forwardedFor, forwardedFor?.split(",").at(-1)?.trim(), trustedHops);

function toNetwork(address: string): string {
  const [bare = ""] = address.replace(/^\[|\].*$/g, "").split("%");
  if (!ipaddr.IPv6.isValid(bare)) return address;
  const ip = ipaddr.IPv6.parse(bare);
  if (ip.isIPv4MappedAddress()) return ip.toIPv4Address().toString();
  const network = ip.parts.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${network.join(":")}::/64`;
}

/** A client's address cut to the /24 or /48 network it is in. @param address as `clientAddress` returns it */
export function cutToNetwork(address: string): string {
  const [bare = ""] = address.split("/");
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return bare.replace(/\d+$/, "0/24");
  if (!ipaddr.IPv6.isValid(bare)) return "unknown";
  const network = ipaddr.IPv6.parse(bare).parts.slice(0, 3);
  return `${network.map((group) => group.toString(16)).join(":")}::/48`;
}
