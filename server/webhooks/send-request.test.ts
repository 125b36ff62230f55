import type { LookupAddress } from "node:dns";
import type { Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Receiver, repeat, startRawHost, startReceiver } from "@/testing/local-servers";
import { makeWebhookSecret, openSecret, sealSecret } from "./endpoints";
import { readRetryAfter, type SendOptions, sendRequest } from "./send-request";

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const OPEN = { secondsMax: 5, allowPrivate: true };
const CLOSED = { secondsMax: 5, allowPrivate: false };
const send = (url: string, options: SendOptions) => sendRequest(url, { "x-one": "1" }, "body", options);
const ip = (...addresses: string[]): LookupAddress[] =>
  addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));

/** A resolver that returns the answers in order, then repeats the last one. */
function resolver(...answers: LookupAddress[][]) {
  const lookups: string[] = [];
  const resolve = async (hostname: string) => {
    lookups.push(hostname);
    return answers[Math.min(lookups.length, answers.length) - 1]!;
  };
  return { lookups, resolve };
}

test("Retry-After is read as seconds or as an HTTP date, up to a day; anything else is no wish", () => {
  const at = Date.parse("Wed, 25 Nov 2026 12:00:00 GMT");
  const read = (header?: string) => readRetryAfter(header, at);
  expect([read("120"), read("999999"), read("Wed, 25 Nov 2026 12:10:00 GMT")]).toEqual([120, 86_400, 600]);
  expect(
    ["0", "-5", "soon", "", "1.5s", "Jan 2031", "Wed, 25 Nov 2026 11:00:00 GMT", undefined].map(read),
  ).toEqual(Array(8).fill(undefined));
});

describe("a request", () => {
  test("posts its headers and body, returns the status, and does not follow redirects", async () => {
    receiver.answerWith((response) => response.writeHead(307, { Location: receiver.url }).end());
    expect(await send(receiver.url, OPEN)).toMatchObject({ statusCode: 307, failure: null });
    expect(receiver.received).toMatchObject([
      { path: "/hook", body: "body", headers: { "x-one": "1", "content-length": "4" } },
    ]);
  });

  test("returns the start of the answer's body only when asked, however long that is", async () => {
    receiver.answerWith((response) => response.writeHead(400).end(`invalid_payload ${"x".repeat(100_000)}`));
    expect(await send(receiver.url, OPEN)).not.toHaveProperty("answer");
    expect(await send(receiver.url, { ...OPEN, answerBytesMax: 17 })).toMatchObject({
      statusCode: 400,
      answer: "invalid_payload x",
    });
    const stalled = await startRawHost((socket) =>
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok"),
    );
    expect(await send(stalled.url, { ...OPEN, answerBytesMax: 8 })).toMatchObject({
      statusCode: 200,
      answer: "ok",
    });
    await stalled.untilLeftAlone();
    await stalled.close();
  });

  test("connects to the address that was checked, and looks up the name only once", async () => {
    const { lookups, resolve } = resolver(ip("127.0.0.1"), ip("192.0.2.1"));
    const url = `http://receiver.example:${receiver.port}/hook`;
    expect(await send(url, { ...OPEN, resolve })).toMatchObject({ statusCode: 204 });
    expect(lookups).toEqual(["receiver.example"]);
    expect(receiver.received[0]!.headers.host).toBe(`receiver.example:${receiver.port}`);
  });

  test("is not sent to a name that resolves to a private address, even if only one of its addresses is", async () => {
    for (const answer of [
      ip("169.254.169.254"),
      ip("8.8.8.8", "::ffff:127.0.0.1"),
      ip("10.1.2.3", "8.8.8.8"),
    ]) {
      const { resolve } = resolver(answer);
      const url = `https://rebinding.example:${receiver.port}/hook`;
      expect(await send(url, { ...CLOSED, ports: [receiver.port], resolve })).toMatchObject({
        statusCode: null,
        failure: "The host name resolves to a private address.",
      });
    }
    expect(receiver.received).toEqual([]);
  });

  test("is not sent over plain HTTP, to a private address or to another port, whatever was stored", async () => {
    for (const url of [receiver.url, receiver.url.replace("http:", "https:")])
      expect((await send(url, { ...CLOSED, ports: [receiver.port] })).failure).toMatch(/^The URL must/);
    const { lookups, resolve } = resolver(ip("8.8.8.8"));
    const { failure } = await send("https://example.com:22/", { ...CLOSED, resolve });
    expect([failure, lookups, receiver.received]).toEqual(["The URL must use port 443.", [], []]);
  });

  test("times out when nothing responds, and when DNS does not respond", async () => {
    const short = { ...OPEN, secondsMax: 0.2 };
    receiver.answerWith(() => undefined);
    expect((await send(receiver.url, short)).failure).toBe("No response within 0.2 s.");
    const resolve = () => new Promise<LookupAddress[]>(() => undefined);
    expect((await send("http://silent.example/", { ...short, resolve })).failure).toBe(
      "No response within 0.2 s.",
    );
  });

  test("says why there was no response", async () => {
    const unknown = async () => {
      throw Object.assign(new Error("getaddrinfo"), { code: "ENOTFOUND" });
    };
    expect((await send("http://nobody.example/", { ...OPEN, resolve: unknown })).failure).toBe(
      "The host name does not exist.",
    );
    expect((await send(receiver.url.replace("http:", "https:"), OPEN)).failure).toMatch(/TLS/);
    receiver.answerWith((response) => response.socket?.destroy());
    expect((await send(receiver.url, OPEN)).failure).toBe("The connection was closed.");
    // Where nothing listens. A port that was free just now could be another test's meanwhile.
    expect((await send("http://127.0.0.1:1/", OPEN)).failure).toBe("The host refused the connection.");
  });
});

describe("a request ends and closes its connection when the host", () => {
  const SWITCHING = "HTTP/1.1 101 Switching Protocols\r\n";
  const NO_RESPONSE = "No response within 0.5 s.";
  test.each<[string, (socket: Socket) => void, statusCode: number | null, failure: string | null]>([
    [
      "switches protocols and keeps sending",
      (socket) => {
        socket.write(`${SWITCHING}Connection: Upgrade\r\nUpgrade: x\r\n\r\n`);
        repeat(socket, "x".repeat(65_536), 1);
      },
      101,
      null,
    ],
    [
      "sends 1xx responses forever",
      (socket) => repeat(socket, "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(100), 1),
      null,
      "The host sent only 1xx responses.",
    ],
    [
      "sends its response headers very slowly",
      (socket) => {
        socket.write("HTTP/1.1 200 OK\r\nX-Slow: ");
        repeat(socket, "x", 5);
      },
      null,
      NO_RESPONSE,
    ],
    [
      "sends a 1xx response, then the final one",
      (socket) => socket.write("HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n"),
      204,
      null,
    ],
  ])("%s", async (_, answer, statusCode, failure) => {
    const host = await startRawHost(answer);
    expect(await send(host.url, { ...OPEN, secondsMax: 0.5 })).toMatchObject({ statusCode, failure });
    await host.untilLeftAlone();
    await host.close();
  });
});

const SERVICE = "auth-secret-of-this-test";

test("a sealed secret can be opened only for its endpoint and with the service's secret", () => {
  const secret = makeWebhookSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const seal = sealSecret(secret, "one", SERVICE);
  expect(seal.includes(Buffer.from(secret))).toBe(false);
  expect(openSecret(seal, "one", SERVICE)).toBe(secret);
  expect(openSecret(seal, "two", SERVICE)).toBeNull();
  expect(openSecret(seal, "one", `${SERVICE}!`)).toBeNull();
  for (let at = 0; at < seal.length; at += 7) {
    const bent = Buffer.from(seal);
    bent[at]! ^= 1;
    expect(openSecret(bent, "one", SERVICE)).toBeNull();
  }
  expect(openSecret(Buffer.alloc(0), "one", SERVICE)).toBeNull();
  expect(sealSecret(secret, "one", SERVICE).equals(sealSecret(secret, "one", SERVICE))).toBe(false);
});
