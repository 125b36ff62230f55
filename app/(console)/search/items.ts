"use client";
import { auditQuery } from "@/app/(console)/access/audit/audit-params";
import { STATUS_LOOKS } from "@/app/(console)/batches/status";
import { UUID_PATTERN } from "@/server/kernel/values/batch-terms";
import type { Found, FoundBatch } from "@/server/search/schema";

export interface PlaceItem {
  kind: "batch" | "contract" | "recipient" | "screen";
  href: string;
  title: string;
  /** Distinguishes it from similar results. */
  detail: string;
}

export interface PlaceGroup {
  heading: string;
  items: readonly PlaceItem[];
}

/** An address may be a contract and a recipient; the contract comes first. */
export function placesOf(found: Found): PlaceGroup[] {
  const unknown = found.unknownAddress ? [{ address: found.unknownAddress, label: null }] : [];
  return [
    {
      heading: "Contracts",
      items: found.contracts.map(({ address, label }) => ({
        kind: "contract" as const,
        href: `/contracts/${address}`,
        title: label,
        detail: address,
      })),
    },
    {
      heading: "Recipients",
      items: [...found.recipients, ...unknown].map(({ address, label }) => ({
        kind: "recipient" as const,
        href: `/recipients/${address}`,
        title: address,
        detail: label ?? (address === found.unknownAddress ? "no transfers yet" : ""),
      })),
    },
    {
      heading: "Batches",
      items: [...found.batches.map(batchPlace), ...listPlace(found.moreBatches)],
    },
  ].filter(({ items }) => items.length > 0);
}

const batchPlace = ({ id, contractAddress, contractLabel, status, isReversal }: FoundBatch): PlaceItem => ({
  kind: "batch",
  href: `/batches/${contractAddress}/${encodeURIComponent(id)}`,
  title: id,
  detail: `${contractLabel} · ${STATUS_LOOKS[status].label}${isReversal ? " · Reversal" : ""}`,
});

function listPlace(prefix: string | null): PlaceItem[] {
  if (!prefix) return [];
  const href = `/batches?id=${encodeURIComponent(prefix)}`;
  return [{ kind: "screen", href, title: `View all batches that start with ${prefix}`, detail: "" }];
}

/** A request ID that the service made is a UUID. */
export function requestPlaces(text: string): PlaceGroup[] {
  const requestId = text.trim().toLowerCase();
  if (!UUID_PATTERN.test(requestId)) return [];
  const href = auditQuery("/access/audit", { request: requestId });
  const title = `View what request ${requestId} changed`;
  return [{ heading: "Audit log", items: [{ kind: "screen", href, title, detail: "" }] }];
}
