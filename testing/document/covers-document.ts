import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sendRaw } from "../send-raw";
import type { Call } from "./calls";
import { replyErrors } from "./check-reply";
import { type DocumentOperation, document, operations } from "./operations";
import { reachStatus, type Send } from "./reach-status";
import { OPERATION_ROWS, toSent } from "./requests";
import { Tally } from "./tally";
import { type DocumentWorld, startDocumentWorld } from "./world";

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
      console.warn(`Replies through ${door}, by operation and status:\n${tally.table()}`);
    });

    /** Sends a request and validates the reply against the document. */
    const sendTo =
      (operation: DocumentOperation): Send =>
      async (call) => {
        const reply = await sendRaw(world.app.url, toSent(call));
        tally.add(operation, reply);
        for (const error of replyErrors(operation, reply)) {
          errors.push(`${operation.id} ${reply.status}: ${error}`);
        }
        return reply;
      };

    test("is the committed one", async () => {
      const reply = await sendRaw(
        world.app.url,
        toSent({ method: "GET", path: "/v1/openapi.json", token: null }),
      );
      expect(JSON.parse(reply.text)).toEqual(document);
    });

    describe.each(operations)("$method $path", (operation) => {
      const row = () => OPERATION_ROWS[operation.id]!;
      const lacking = ({ tokens }: DocumentWorld) =>
        row().scope === "batches:read" ? tokens.write : tokens.read;
      const callers: [string, (of: DocumentWorld) => Partial<Call>, number, string][] = [
        ["no token", () => ({ token: null }), 401, "missing_token"],
        ["a malformed token", () => ({ token: "ptb_nonsense" }), 401, "invalid_token"],
        ["an unknown token", ({ tokens }) => ({ token: unknown(tokens.own) }), 401, "invalid_token"],
        ["an expired token", ({ tokens }) => ({ token: tokens.expired }), 401, "expired_token"],
        ["a revoked token", ({ tokens }) => ({ token: tokens.revoked }), 401, "expired_token"],
        [
          "an expired operator token",
          ({ tokens }) => ({ token: tokens.endedOperator }),
          401,
          "expired_token",
        ],
        ["a token of another contract", ({ tokens }) => ({ token: tokens.other }), 403, "wrong_contract"],
        ["a token without the scope", (of) => ({ token: lacking(of) }), 403, "missing_scope"],
        [
          "a staff session",
          (of) => ({ token: null, headers: { Cookie: of.staffCookie } }),
          401,
          "missing_token",
        ],
        ["the cron secret", ({ app }) => ({ token: app.cronSecret }), 401, "invalid_token"],
      ];

      const isOpen = OPERATION_ROWS[operation.id]?.scope === null;
      test.each(callers)(`${isOpen ? "answers" : "refuses"} %s`, async (_, change, status, code) => {
        const reply = await sendTo(operation)({ ...(await row().good(world)), ...change(world) });
        const refusal = { success: false, status, code };
        expect(JSON.parse(reply.text)).toMatchObject(isOpen ? { success: true } : refusal);
        expect(reply.status).toBe(isOpen ? 200 : status);
      });

      test.each(Object.keys(operation.replies))("returns %s as documented", async (status) => {
        const reply = await reachStatus(status, world, row(), sendTo(operation));
        expect(reply.status, reply.text).toBe(Number(status));
      });
    });

    test.each(operations)("$method $path rejects its own invalid requests", async (operation) => {
      for (const make of OPERATION_ROWS[operation.id]!.refused ?? []) {
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

const unknown = (token: string) => `${token.slice(0, -8)}AAAAAAAA`;
