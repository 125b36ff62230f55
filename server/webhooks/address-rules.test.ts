import { describe, expect, test } from "vitest";
import { isPublicAddress, urlError, urlHint } from "./address-rules";

describe("an address", () => {
  test("may be called if it is public", () => {
    for (const address of ["8.8.8.8", "172.32.0.1", "2606:4700::1111", "2a00:1450:4001::1"])
      expect(isPublicAddress(address), address).toBe(true);
  });

  test.each([
    [
      "private, shared or for many",
      "100.64.0.1 224.0.0.1 ff02::1 255.255.255.255 10.0.0.1 172.16.0.1 192.168.1.1 fc00::1 fd12:3456::1",
    ],
    ["loopback or unspecified", "0.0.0.0 0.1.2.3 :: 127.0.0.1 127.255.255.254 ::1"],
    ["link-local, where clouds serve instance metadata", "169.254.169.254 fe80::1 fe80::1%eth0 fec0::1"],
    [
      "a cloud's metadata address",
      "fd00:ec2::254 192.0.0.192 fd20:ce::254 100.100.100.200 168.63.129.16 192.80.8.124",
    ],
    ["ISATAP", "2001:470::5efe:10.0.0.1 2a00:1450::200:5efe:a9fe:a9fe"],
    ["reserved", "240.0.0.1 198.18.0.1 192.0.2.1 2001:db8::1"],
    ["IPv4-mapped", "::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:7f00:1 ::7f00:1"],
    ["translated to IPv4", "64:ff9b::7f00:1 64:ff9b:1::a00:1 2002:7f00:1:: 2001:0:1::"],
    ["not an IP address", "example.com "],
  ])("that is %s may not be called: %s", (_, addresses) => {
    for (const address of addresses.split(" ")) expect(isPublicAddress(address), address).toBe(false);
  });
});

describe("a webhook URL", () => {
  test.each([
    [{ allowPrivate: false }, "Must be public and start with https://"],
    [{ allowPrivate: false, ports: [443, 8443] }, /https:\/\/, with one of the ports 443, 8443$/],
    [{ allowPrivate: true }, /http:\/\/\. Private addresses are accepted\.$/],
  ])("is asked for by the rules of its host: %o", (rules, hint) => {
    expect(urlHint({ serviceSecret: "", ...rules })).toMatch(hint);
  });

  test("may have port 443, a query and a public host", () => {
    for (const url of [
      "https://example.com:443/hook?port=8443",
      "https://8.8.8.8/",
      "https://[2606:4700::1111]/",
      "https://metadata.example.com/",
    ])
      expect(urlError(url, false), url).toBeNull();
  });

  test.each([
    [/https/, ["http://example.com/", "file:///etc/passwd", "gopher://127.0.0.1/"]],
    [/user name or password/, ["https://user:pass@example.com/", "https://user@example.com/"]],
    [/fragment/, ["https://example.com/#part"]],
    [/port 443/, ["https://example.com:8443/hook", "https://example.com:22/"]],
    [
      /private/,
      ["https://168.63.129.16/", "https://169.254.169.254/latest/meta-data", "https://127.0.0.1./"],
    ],
    [/private/, ["127.1", "0x7f.1", "0177.0.0.1", "%31%32%37.0.0.1"].map((host) => `https://${host}/`)],
    [/private/, ["https://[::1]/", "https://[::ffff:127.0.0.1]/", "https://[64:ff9b::a00:1]/"]],
    [/localhost/, ["https://localhost/", "https://api.LOCALHOST./"]],
    [
      /URL/,
      ["https://", "not a url", "https://example.com/\u0000", `https://example.com/${"x".repeat(2048)}`],
    ],
  ])("is refused with %s: %j", (words, urls) => {
    for (const url of urls) expect(urlError(url, false), url).toMatch(words);
  });

  test("may use other ports where they are allowed, and no others", () => {
    expect(urlError("https://example.com:8443/", false, [443, 8443])).toBeNull();
    expect(urlError("https://example.com/", false, [8443])).toMatch(/must use port 8443$/);
    expect(urlError("https://example.com:444/", false, [443, 8443])).toMatch(/ports 443, 8443$/);
  });

  test("may be private and plain HTTP where that is allowed, but every other rule still applies", () => {
    expect(urlError("http://127.0.0.1:8080/hook", true)).toBeNull();
    expect(urlError("ftp://127.0.0.1/", true)).toMatch(/https/);
    expect(urlError("http://user@localhost/", true)).toMatch(/user name or password/);
  });
});
