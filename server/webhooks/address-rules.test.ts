import { describe, expect, test } from "vitest";
import { isPublicAddress, urlError } from "./address-rules";

describe("an address", () => {
  test.each(["8.8.8.8", "1.1.1.1", "172.32.0.1", "2606:4700::1111", "2a00:1450:4001::1"])(
    "%s may be called, because it is public",
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  test.each([
    ["private", "10.0.0.1"],
    ["private", "172.16.0.1"],
    ["private", "192.168.1.1"],
    ["private", "fc00::1"],
    ["private", "fd12:3456::1"],
    ["loopback", "127.0.0.1"],
    ["loopback", "127.255.255.254"],
    ["loopback", "::1"],
    ["unspecified", "0.0.0.0"],
    ["unspecified", "::"],
    ["this network", "0.1.2.3"],
    ["link-local, where clouds serve instance metadata", "169.254.169.254"],
    ["link-local", "fe80::1"],
    ["link-local with a zone", "fe80::1%eth0"],
    ["site-local", "fec0::1"],
    ["a cloud's metadata address", "fd00:ec2::254"],
    ["Azure's metadata address, which is in a public range", "168.63.129.16"],
    ["Equinix Metal's metadata address, which is in a public range", "192.80.8.124"],
    ["Oracle's older metadata address", "192.0.0.192"],
    ["Google's metadata address", "fd20:ce::254"],
    ["ISATAP, with a private IPv4 address", "2001:470::5efe:10.0.0.1"],
    ["ISATAP, with a globally unique interface", "2a00:1450::200:5efe:a9fe:a9fe"],
    ["carrier-grade NAT", "100.64.0.1"],
    ["another cloud's metadata address", "100.100.100.200"],
    ["multicast", "224.0.0.1"],
    ["multicast", "ff02::1"],
    ["broadcast", "255.255.255.255"],
    ["reserved", "240.0.0.1"],
    ["reserved for benchmarks", "198.18.0.1"],
    ["reserved for documents", "192.0.2.1"],
    ["reserved for documents", "2001:db8::1"],
    ["IPv4-mapped", "::ffff:127.0.0.1"],
    ["IPv4-mapped, with a public IPv4 address", "::ffff:8.8.8.8"],
    ["IPv4-mapped in hex", "::ffff:7f00:1"],
    ["IPv4-compatible", "::7f00:1"],
    ["NAT64", "64:ff9b::7f00:1"],
    ["a private NAT64 prefix", "64:ff9b:1::a00:1"],
    ["6to4", "2002:7f00:1::"],
    ["Teredo", "2001:0:1::"],
    ["not an IP address", "example.com"],
    ["not an IP address", ""],
  ])("that is %s may not be called: %s", (_, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe("a webhook URL", () => {
  test.each([
    "https://example.com/hook",
    "https://example.com:443/hook?key=1",
    "https://example.com/hook?port=8443",
    "https://8.8.8.8/",
    "https://[2606:4700::1111]/",
    "https://metadata.example.com/",
  ])("may be %s", (url) => {
    expect(urlError(url, false)).toBeNull();
  });

  test.each([
    ["http://example.com/", /https/],
    ["ftp://example.com/", /https/],
    ["file:///etc/passwd", /https/],
    ["gopher://127.0.0.1/", /https/],
    ["https://user:pass@example.com/", /user name or password/],
    ["https://user@example.com/", /user name or password/],
    ["https://example.com/#part", /fragment/],
    ["https://example.com:8443/hook", /port 443/],
    ["https://example.com:22/", /port 443/],
    ["https://168.63.129.16/", /private/],
    ["https://127.0.0.1/", /private/],
    ["https://127.1/", /private/],
    ["https://0x7f.1/", /private/],
    ["https://0177.0.0.1/", /private/],
    ["https://2130706433/", /private/],
    ["https://127.0.0.1./", /private/],
    ["https://169.254.169.254/latest/meta-data", /private/],
    ["https://[::1]/", /private/],
    ["https://[::ffff:127.0.0.1]/", /private/],
    ["https://[64:ff9b::a00:1]/", /private/],
    ["https://%31%32%37.0.0.1/", /private/],
    ["https://localhost/", /localhost/],
    ["https://api.LOCALHOST./", /localhost/],
    ["https://", /URL/],
    ["not a url", /URL/],
    ["https://exa mple.com/", /URL/],
    ["https://example.com/\u0000", /URL/],
    ["https://１２７.0.0.1/", /URL/],
    [`https://example.com/${"x".repeat(2048)}`, /URL/],
  ])("may not be %s", (url, words) => {
    expect(urlError(url, false)).toMatch(words);
  });

  test("may use other ports where they are allowed, and no others", () => {
    expect(urlError("https://example.com:8443/", false, [443, 8443])).toBeNull();
    expect(urlError("https://example.com/", false, [8443])).toMatch(/must use port 8443$/);
    expect(urlError("https://example.com:444/", false, [443, 8443])).toMatch(
      /must use one of the ports 443, 8443$/,
    );
  });

  test("may be private and plain HTTP where that is allowed, but every other rule still applies", () => {
    expect(urlError("http://127.0.0.1:8080/hook", true)).toBeNull();
    expect(urlError("http://localhost/", true)).toBeNull();
    expect(urlError("ftp://127.0.0.1/", true)).toMatch(/https/);
    expect(urlError("http://user@localhost/", true)).toMatch(/user name or password/);
  });
});
