import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RawReply, sendRaw } from "@/testing/rest-request";
import { type DocumentOperation, document, operations, replyErrors, Tally } from "./replies";
import { asOperator, type Call, OPERATION_ROWS, toSent, unreadable, withBody } from "./requests";
import { type DocumentWorld, REQUESTS_PER_MINUTE, startDocumentWorld } from "./world";

/** The tests of every operation, status and header of the document, sent to one of the two servers. */
export const coversDocument = (door: "host" | "next") =>
  describe(`the document served through ${door}`, () => {
    const tally = new Tally();
    const errors: string[] = [];
    let world: DocumentWorld;

    beforeAll(async () => {
      world = await startDocumentWorld(door);
    });
    afterAll(async () => {
      await world?.stop();
    });

    /** Sends a request and validates the reply against the document. */
    const sendTo =
      (operation: DocumentOperation): Send =>
      async (call) => {
        const { url } = call.withoutBooks ? world.appWithoutBooks : world.app;
        const reply = await sendRaw(url, toSent(call));
        tally.add(operation, reply);
        for (const error of replyErrors(operation, reply)) {
          errors.push(`${operation.id} ${reply.status}: ${error}`);
        }
        return reply;
      };

    test("is the committed one, with this server's URL", async () => {
      const reply = await sendRaw(
        world.app.url,
        toSent({ method: "GET", path: "/v1/openapi.json", token: null }),
      );
      const [server] = document.servers;
      const url = world.app.url.replace("127.0.0.1", "localhost");
      expect(JSON.parse(reply.text)).toEqual({ ...document, servers: [{ ...server, url }] });
    });

    test("names a slash at the end of a path as what is wrong with it", async () => {
      const path = `/v1/contracts/${world.contract}/batches/`;
      const reply = await sendRaw(world.app.url, toSent({ method: "GET", path, token: world.tokens.own }));
      expect(JSON.parse(reply.text)).toMatchObject({
        status: 404,
        detail: "This path does not exist, but it does without the slash at its end.",
      });
    });

    if (door === "next")
      test.each(["PUT", "GET", "DELETE"])(
        "refuses to %s a batch whose ID ends in .rsc, which Next takes off",
        async (method) => {
          const path = `/v1/contracts/${world.contract}/batches/pending`;
          const before = await sendRaw(
            world.app.url,
            toSent({ method: "GET", path, token: world.tokens.own }),
          );
          const call = { method, path: `${path}.rsc`, token: world.tokens.own };
          const reply = await sendRaw(world.app.url, toSent(call));
          expect([before.status, reply.status, JSON.parse(reply.text).code]).toEqual([
            200,
            400,
            "validation_failed",
          ]);
        },
      );

    describe.each(operations)("$method $path", (operation) => {
      const row = () => OPERATION_ROWS[operation.id]!;
      const lacking = ({ tokens }: DocumentWorld) =>
        operation.scope === "batches:read" ? tokens.write : tokens.read;
      const callers: [string, (of: DocumentWorld) => Partial<Call>, number, string][] = [
        ["no token", () => ({ token: null }), 401, "missing_token"],
        ["a malformed token", () => ({ token: "ptb_nonsense" }), 401, "invalid_token"],
        ["an unknown token", ({ tokens }) => ({ token: unknown(tokens.own) }), 401, "invalid_token"],
        ["an expired token", ({ tokens }) => ({ token: tokens.expired }), 401, "expired_token"],
        ["a revoked token", ({ tokens }) => ({ token: tokens.revoked }), 401, "expired_token"],
        ["an expired operator token", (of) => ({ token: of.tokens.endedOperator }), 401, "expired_token"],
        ["a token of another contract", ({ tokens }) => ({ token: tokens.other }), 403, "wrong_contract"],
        ["a token without the scope", (of) => ({ token: lacking(of) }), 403, "missing_scope"],
        ["a staff session", (of) => ({ token: null, headers: cookie(of) }), 401, "missing_token"],
        ["the cron secret", ({ app }) => ({ token: app.cronSecret }), 401, "invalid_token"],
      ];

      const isOpen = operation.scope === null;
      test.each(callers)(`${isOpen ? "answers" : "refuses"} %s`, async (_, change, status, code) => {
        const reply = await sendTo(operation)({ ...(await row().good(world)), ...change(world) });
        const refusal = { success: false, status, code };
        expect(JSON.parse(reply.text)).toMatchObject(isOpen ? { success: true } : refusal);
        expect(reply.status).toBe(isOpen ? 200 : status);
      });

      test.each(Object.keys(operation.replies))("returns %s as documented", async (status) => {
        const reply = await reachStatus(status, world, operation, sendTo(operation));
        expect(reply.status, reply.text).toBe(Number(status));
      });
    });

    test.each(operations)("$method $path rejects its own invalid requests", async (operation) => {
      const { good: right, refused = [] } = OPERATION_ROWS[operation.id]!;
      const wrong = operation.hasBody ? unreadable(right) : [withBody(right)];
      for (const make of [...refused, ...wrong]) {
        const reply = await sendTo(operation)(await make(world));
        // Next drops some invalid parts before they can be rejected.
        if (door === "host") expect(reply.status, reply.text).toBeGreaterThanOrEqual(400);
      }
    });

    test("covers every status, header and body of every reply", () => {
      expect([...new Set(errors)]).toEqual([]);
    });

    test("declares nothing that no reply has", () => {
      expect(tally.unreached()).toEqual([]);
    });
  });

const cookie = ({ staffCookie }: DocumentWorld) => ({ Cookie: staffCookie });
const unknown = (token: string) => `${token.slice(0, -8)}AAAAAAAA`;

type Send = (call: Call) => Promise<RawReply>;
type Reach = (world: DocumentWorld, operation: DocumentOperation, send: Send) => Promise<RawReply>;

const BODY_BYTES_MAX = 1_048_576;

const good =
  (change: (call: Call, world: DocumentWorld) => Partial<Call>): Reach =>
  async (world, operation, send) => {
    const call = await OPERATION_ROWS[operation.id]!.good(world);
    return send({ ...call, ...change(call, world) });
  };

const ofContract = (call: Call, { contract }: DocumentWorld, other: string) =>
  call.path.replace(contract, other);

/** How to make an operation answer with a status. @returns that reply */
async function reachStatus(
  status: string,
  world: DocumentWorld,
  operation: DocumentOperation,
  send: Send,
): Promise<RawReply> {
  const own = OPERATION_ROWS[operation.id]!.byStatus?.[status];
  if (own) return send(await own(world));
  const reach = REACH[status];
  if (!reach) throw new Error(`no call here reaches ${status}`);
  return reach(world, operation, send);
}

const REACH: Record<string, Reach> = {
  "200": async (world, operation, send) => {
    const { good: right, alsoGood = [] } = OPERATION_ROWS[operation.id]!;
    for (const make of operation.isForOperators ? [...alsoGood, asOperator(right)] : alsoGood) {
      const reply = await send(await make(world));
      if (reply.status !== 200) return reply;
    }
    return send(await right(world));
  },
  "304": async (world, operation, send) => {
    const call = await OPERATION_ROWS[operation.id]!.good(world);
    const { headers } = await send(call);
    return send({ ...call, headers: { "If-None-Match": String(headers.etag) } });
  },
  "400": good((call, world) => ({ path: ofContract(call, world, "0x12") })),
  "401": good(() => ({ token: null })),
  "403": good((_, { tokens }) => ({ token: tokens.other })),
  "404": good((call, world) => ({ path: ofContract(call, world, world.unregistered) })),
  "413": good(() => ({ body: `{"pointType":"${"x".repeat(BODY_BYTES_MAX)}"}` })),
  "415": good(() => ({ headers: { "Content-Type": "text/plain" } })),
  "422": good((call, world) => ({
    path: ofContract(call, world, world.unfunded),
    token: world.tokens.unfunded,
  })),
  "429": async (world, operation, send) => {
    const call = await OPERATION_ROWS[operation.id]!.good(world);
    const spent = operation.scope
      ? { ...call, token: world.tokens.spent }
      : { ...call, headers: { "X-Forwarded-For": "192.0.2.2" } };
    let reply = await send(spent);
    for (let sent = 1; sent <= REQUESTS_PER_MINUTE && reply.status !== 429; sent++) reply = await send(spent);
    return reply;
  },
  "500": async (world, operation, send) => {
    const call = await OPERATION_ROWS[operation.id]!.good(world);
    return world.withBrokenTable(() => send(call));
  },
  "503": async (world, operation, send) => {
    const call = await OPERATION_ROWS[operation.id]!.good(world);
    return world.withoutDatabase(() => send(call));
  },
  "504": async (world, operation, send) => {
    const call = await OPERATION_ROWS[operation.id]!.good(world);
    const requestId = randomUUID();
    // Of its statements, only the change itself has one of these.
    const texts = [requestId, world.operator.address.slice(2).toLowerCase()];
    const headers = { ...call.headers, "X-Request-Id": requestId };
    return world.losingReply(texts, () => send({ ...call, headers }));
  },
};
