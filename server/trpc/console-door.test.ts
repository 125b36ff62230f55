import { describe, expect, test } from "vitest";
import { settings } from "../kernel/settings";
import { handleConsole } from "./console-door";

const post = (body: BodyInit, headers: Record<string, string> = {}) =>
  handleConsole(
    new Request("http://console.example/api/trpc/console.batches.submit", {
      method: "POST",
      headers: { "Content-Type": "application/json", host: "console.example", ...headers },
      body,
      ...(body instanceof ReadableStream && { duplex: "half" }),
    }),
  );
const sameOrigin = { origin: "http://console.example" };

const problemOf = async (reply: Response) =>
  ((await reply.json()) as { error: { data: { problem: { code: string; detail: string } } } }).error.data
    .problem;

/** A body without a length, which a door that trusts headers would read to its end. */
function endless(onPull: () => void): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull(controller) {
      onPull();
      controller.enqueue(new Uint8Array(65_536));
    },
  });
}

describe("the console's door", () => {
  test("refuses a change that comes from another page", async () => {
    const reply = await post("{}", { origin: "http://elsewhere.example" });
    expect(reply.status).toBe(403);
    expect((await problemOf(reply)).code).toBe("not_allowed");
  });

  test("refuses a body larger than the REST interface takes", async () => {
    const reply = await post("x".repeat(settings().BODY_BYTES_MAX + 1), sameOrigin);
    expect(reply.status).toBe(413);
    expect(await problemOf(reply)).toMatchObject({
      code: "body_too_large",
      detail: "The body is larger than 1048576 bytes.",
    });
  });

  test("reads a body of unsaid length no further than that", async () => {
    let chunks = 0;
    const reply = await post(
      endless(() => chunks++),
      sameOrigin,
    );
    expect(reply.status).toBe(413);
    expect(chunks * 65_536).toBeLessThan(settings().BODY_BYTES_MAX + 3 * 65_536);
  });
});
