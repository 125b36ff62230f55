import { isIPv6 } from "node:net";

const IPV6_GROUPS = 8;
/** One subscriber holds a whole /64: counting single IPv6 addresses would count nothing. */
const IPV6_NETWORK_GROUPS = 4;

/**
 * The network address that a request came from, for rate limits: what the last trusted proxy saw, or the socket's peer
 * when none is trusted. IPv6 ones are cut to their /64 network.
 *
 * @param forwardedFor `X-Forwarded-For`, to which every proxy adds the address it was called from
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

/** The same behind our own host or a platform, which leave the one address in `X-Forwarded-For`, or add the one they saw last. */
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
