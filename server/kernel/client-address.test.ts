import { expect, test } from "vitest";
import { clientAddress } from "./client-address";

test("without a trusted proxy, the socket's peer is used, no matter what the request says", () => {
  expect(clientAddress("1.1.1.1", "203.0.113.7", 0)).toBe("203.0.113.7");
  expect(clientAddress(null, undefined, 0)).toBe("unknown");
});

test.each([
  [1, "9.9.9.9, 198.51.100.1", "198.51.100.1"],
  [2, "9.9.9.9, 198.51.100.1, 10.0.0.2", "198.51.100.1"],
  [3, "198.51.100.1", "198.51.100.1"],
])(
  "behind %i trusted proxies, the address that the outermost one saw is used",
  (hops, forwardedFor, address) => {
    expect(clientAddress(forwardedFor, "10.0.0.1", hops)).toBe(address);
  },
);

test.each([
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["[2001:db8::5]:443", "2001:db8:0:0::/64"],
  ["::ffff:192.0.2.9", "192.0.2.9"],
])("%s is limited as %s", (peer, network) => {
  expect(clientAddress(null, peer, 0)).toBe(network);
});
