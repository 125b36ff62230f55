import { z } from "zod";
import type { Database } from "@/db/client";
import { bulkStartInput } from "@/server/batches/bulk/schema";
import { consoleReverseInput, consoleSubmitInput } from "@/server/batches/submit/submit-schema";
import { encodeCursor, encodeNumbers } from "@/server/kernel/cursor";
import { sampleOf } from "./bad-values";
import type { Schema } from "./document/replies";
import { batchOf, LIMITS, newContract, snapshotOf, submit, wallet } from "./factories";
import { callerOf } from "./staff-caller";

const AT = "2026-03-01T00:00:00.000Z";
const POSITION = encodeCursor({ atMs: 0, seq: 1n }, "");

/** The inputs that depend on the service's limits, so that a procedure has only a function. */
const OF_LIMITS: Record<string, z.ZodType> = {
  "batches.submit": consoleSubmitInput(LIMITS),
  "batches.tryOut": consoleSubmitInput(LIMITS),
  "batches.reverse": consoleReverseInput(LIMITS),
  "bulk.start": bulkStartInput(LIMITS),
};
/** Fields of one procedure. */
const OF_PATH: Record<string, object> = {
  "audit.list": { cursor: "1" },
  "batches.list": { cursor: POSITION },
  "contracts.search": { cursor: wallet(5) },
  "contracts.issuances": { cursor: "1" },
  "contracts.register": { address: wallet(5) },
  "contracts.setDefaultWait": { seconds: 86_400 },
  "recipients.received": { cursor: POSITION },
  "statements.all": { cursor: wallet(5) },
  "webhooks.deliveries": { cursor: "0d5e0f56-7c3c-4b0e-9a51-0e1f2a3b4c5d" },
};

/** A procedure and, if it has an input, a good one with all of its fields. */
export interface Sample {
  /** Without `console.`. */
  path: string;
  type: "query" | "mutation";
  sample: unknown;
}

type Definition = { _def: { type: "query" | "mutation"; inputs?: unknown[] } };

/** Prepares a database for good inputs. @returns its contract, and what makes the inputs of a router */
export async function goodInputs(
  db: Database,
): Promise<{ contractAddress: string; samples(router: { _def: { procedures: object } }): Sample[] }> {
  const contractAddress = await newContract(db);
  for (const batchId of ["a", "b"])
    await submit(db, batchOf(contractAddress, [[1, "1"]], { batchId, secondsToFinalize: 3600 }));
  const admin = callerOf(db, "admin");
  const asOf = new Date().toISOString();
  const request = { contractAddress, pointType: "PHASE2_POINTS" as const };
  const [snapshot, deleted] = [await snapshotOf(db, request), await snapshotOf(db, request)];
  const ofPath: Record<string, object> = {
    ...OF_PATH,
    "snapshots.delete": { snapshotId: deleted.id },
    "snapshots.holders": { cursor: encodeNumbers([1n], snapshot.id) },
  };
  const hook = { contractAddress, url: "https://example.com/hook", events: ["batch.finalized" as const] };
  const named: Record<string, unknown> = {
    contractAddress,
    address: wallet(1),
    operatorAddress: wallet(6),
    toAddress: wallet(1),
    recipient: wallet(1),
    recipientAddress: wallet(1),
    toAddresses: [wallet(1)],
    batchId: "a",
    reversalId: "c",
    corrects: "b",
    webhookId: (await admin.webhooks.create(hook)).endpoint.id,
    points: "1",
    minimumPoints: "1",
    threshold: "1",
    dayThreshold: "20",
    secondsToFinalize: 3600,
    createdAt: AT,
    asOf,
    snapshotId: snapshot.id,
    dayStarts: [AT, "2026-03-02T00:00:00.000Z"],
    month: new Date().toISOString().slice(0, 7),
    email: "a@example.com",
    password: "correct horse battery",
    newPassword: "correct horse battery 2",
    keys: [`${contractAddress}/a`],
    transfers: [{ toAddress: wallet(1), points: "1" }],
    metadata: { campaign: "summer" },
    submittedBy: "token:a",
    query: "status=PENDING",
    from: "2026-01-01",
    allocationId: "3f1d7a52-6c0e-4b8f-9a57-1e2d3c4b5a69",
    total: "1000",
    rate: "1",
    minimum: "1",
    payer: "SAFE",
    decimals: 18,
    excluded: [wallet(1)],
    ...Object.fromEntries(
      ["created", "due", "finalized"].flatMap((name) => [
        [`${name}After`, AT],
        [`${name}Before`, AT],
      ]),
    ),
    ...{ after: AT, before: AT, readAt: AT },
  };

  const samples = (router: { _def: { procedures: object } }) =>
    Object.entries(router._def.procedures as Record<string, Definition>).map(([name, { _def }]) => {
      const path = name.replace("console.", "");
      const schema = OF_LIMITS[path] ?? (_def.inputs?.[0] as z.ZodType | undefined);
      if (!schema) return { path, type: _def.type, sample: undefined };
      const known = { ...named, ...ofPath[path] };
      const asJson = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Schema;
      return { path, type: _def.type, sample: sampleOf(asJson, known) };
    });
  return { contractAddress, samples };
}
