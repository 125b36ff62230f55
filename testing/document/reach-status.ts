import type { RawReply } from "../send-raw";
import type { Call, OperationRow } from "./calls";
import { type DocumentWorld, REQUESTS_PER_MINUTE } from "./world";

export type Send = (call: Call) => Promise<RawReply>;
type Reach = (world: DocumentWorld, row: OperationRow, send: Send) => Promise<RawReply>;

const BODY_BYTES_MAX = 1_048_576;

const good =
  (change: (call: Call, world: DocumentWorld) => Partial<Call>): Reach =>
  async (world, row, send) => {
    const call = await row.good(world);
    return send({ ...call, ...change(call, world) });
  };

const ofContract = (call: Call, { contract }: DocumentWorld, other: string) =>
  call.path.replace(contract, other);

/** How to make an operation answer with a status. @returns that reply */
export async function reachStatus(
  status: string,
  world: DocumentWorld,
  row: OperationRow,
  send: Send,
): Promise<RawReply> {
  const own = row.byStatus?.[status];
  if (own) return send(await own(world));
  const reach = REACH[status];
  if (!reach) throw new Error(`no call here reaches ${status}`);
  return reach(world, row, send);
}

const REACH: Record<string, Reach> = {
  "200": async (world, row, send) => {
    for (const make of row.alsoGood ?? []) {
      const reply = await send(await make(world));
      if (reply.status !== 200) return reply;
    }
    return send(await row.good(world));
  },
  "304": async (world, row, send) => {
    const call = await row.good(world);
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
  "429": async (world, row, send) => {
    const call = await row.good(world);
    const spent = row.scope
      ? { ...call, token: world.tokens.spent }
      : { ...call, headers: { "X-Forwarded-For": "192.0.2.2" } };
    let reply = await send(spent);
    for (let sent = 1; sent <= REQUESTS_PER_MINUTE && reply.status !== 429; sent++) reply = await send(spent);
    return reply;
  },
  "500": async (world, row, send) => {
    const call = await row.good(world);
    return world.withBrokenTable(() => send(call));
  },
  "503": async (world, row, send) => {
    const call = await row.good(world);
    return world.withoutDatabase(() => send(call));
  },
};
