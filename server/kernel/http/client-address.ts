import { isIPv6 } from "node:net";

const IPV6_GROUPS = 8;
/** A single subscriber has a whole /64, so limits per IPv6 address would have no effect. */
const IPV6_NETWORK_GROUPS = 4;

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
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped) return mapped[1]!;
  const [bare = ""] = address.replace(/^\[|\].*$/g, "").split("%");
  if (!isIPv6(bare)) return address;
  const [head = "", tail] = bare.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? 0 : IPV6_GROUPS - before.length - after.length;
  const groups = [...before, ...Array<string>(Math.max(0, zeros)).fill("0"), ...after];
  const network = groups
    .slice(0, IPV6_NETWORK_GROUPS)
    .map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(":")}::/64`;
}
