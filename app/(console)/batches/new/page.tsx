import { Ban, Lock } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { requireStaff } from "@/app/(console)/reads";
import { buttonLook } from "@/app/ui/button-look";
import { EmptyState } from "@/app/ui/empty-state";
import { toDomainError } from "@/server/kernel/to-domain-error";
import type { BatchKey } from "@/server/kernel/values/batch-schema";
import { ADDRESS_PATTERN, UUID_PATTERN } from "@/server/kernel/values/batch-terms";
import { consoleCaller } from "@/server/trpc/caller";
import { newBatchPath } from "../../contracts/paths";
import { batchPath, correctPath, newUploadPath, parseBatchKey, uploadPath } from "../paths";
import { NewBatchFrame } from "./frame";
import { NewBatch } from "./new-batch";

export const metadata: Metadata = { title: "New batch" };

interface NewBatchPageProps {
  searchParams: Promise<{
    corrects?: string | string[];
    contract?: string | string[];
    upload?: string | string[];
  }>;
}

export default async function NewBatchPage({ searchParams }: NewBatchPageProps) {
  const { corrects, contract, upload } = await searchParams;
  const wanted = typeof contract === "string" && ADDRESS_PATTERN.test(contract) ? contract : null;
  const uploadId = typeof upload === "string" && UUID_PATTERN.test(upload) ? upload : null;
  const source = parseBatchKey(typeof corrects === "string" ? corrects : null);
  const own = uploadId ? newUploadPath(uploadId) : wanted ? newBatchPath(wanted) : "/batches/new";
  await requireStaff(source ? correctPath(source) : own);
  const caller = await consoleCaller();
  const person = await caller.console.session.me();
  if (person.role === "viewer") return <OperatorsOnly />;
  if (corrects !== undefined && !source)
    return (
      <NotCorrectable why="The link contains no valid batch. Check it, or start from the cancelled batch." />
    );
  const [contracts, { limits }, unfinished, { correction, why }] = await Promise.all([
    caller.console.contracts.list(),
    caller.console.session.service(),
    caller.console.bulk.unfinishedUploads(),
    source ? readCorrection(source) : { correction: null, why: null },
  ]);
  if (why !== null) return <NotCorrectable why={why} source={source} />;
  const continued = unfinished.find(({ id }) => id === uploadId) ?? null;
  // It was finished or cancelled meanwhile.
  if (uploadId && !continued) redirect(uploadPath(uploadId));
  return (
    <NewBatchFrame>
      <NewBatch
        contracts={contracts.map(({ address, label, issuance }) => ({ address, label, issuance }))}
        limits={limits}
        correction={correction}
        unfinished={unfinished}
        continued={continued}
        wanted={wanted}
        asOf={new Date().toISOString()}
      />
    </NewBatchFrame>
  );
}

async function readCorrection(source: BatchKey) {
  const caller = await consoleCaller();
  try {
    return { correction: await caller.console.batches.correction(source), why: null };
  } catch (error) {
    const { code, message } = toDomainError(error);
    if (code === "batch_not_found" || code === "validation_failed") return { correction: null, why: message };
    throw error;
  }
}

function NotCorrectable({ why, source }: { why: string; source?: BatchKey | null }) {
  return (
    <EmptyState icon={Ban} heading="h1" title="This batch cannot be corrected">
      <p className="text-muted">{why}</p>
      <Link href={source ? batchPath(source) : "/batches"} className={buttonLook()}>
        {source ? "View batch" : "View all batches"}
      </Link>
    </EmptyState>
  );
}

function OperatorsOnly() {
  return (
    <EmptyState icon={Lock} heading="h1" title="You need the operator role">
      <p className="text-muted">
        Viewers can see batches but cannot submit them. Ask an admin to change your role.
      </p>
      <Link href="/batches" className={buttonLook()}>
        View all batches
      </Link>
    </EmptyState>
  );
}
