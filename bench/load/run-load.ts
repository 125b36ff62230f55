import { driveFor, driveToLastReply } from "./drive";
import { HttpConnection } from "./http-connection";
import type { LoadPlan, LoadResult } from "./load-plan";
import { makeRequests } from "./make-requests";

/** Calls one after the other on each connection, until the time is over. */
export async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  const requests = makeRequests(plan);
  const connections = await Promise.all(
    Array.from({ length: plan.connections }, () => HttpConnection.open(plan.url)),
  );
  let next = 0;
  let refused = 0;
  let firstRefusal: string | null = null;
  const drive = plan.toLastReply ? driveToLastReply : driveFor;
  const driven = await drive(plan, connections, async (connection) => {
    const reply = await connection.send(requests[next++ % requests.length]!);
    if (reply.status === 200 || reply.status === 201) return;
    refused++;
    firstRefusal ??= reply.bytes.toString("utf8").slice(0, 600);
  });
  for (const connection of connections) connection.close();
  return { ...driven, refused, firstRefusal };
}
