import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { ComparedBatches } from "@/server/batches/compare/compare-batches";
import { DIFFERENCE_KINDS, type DifferenceKind } from "@/server/batches/list/console-schema";
import { toDomainError } from "@/server/kernel/to-domain-error";
import type { BatchKey } from "@/server/kernel/values/batch-schema";
import { BATCH_ID_PATTERN } from "@/server/kernel/values/batch-terms";
import { consoleCaller } from "@/server/trpc/caller";
import { requireStaff } from "../../../../require-staff";
import { ChooseBatch } from "../../../compare/choose-batch";
import { CompareView } from "../../../compare/compare-view";
import { ReplaceUrl } from "../../../compare/replace-url";
import { comparePath, readBatchKey } from "../../../paths";

interface ComparePageProps {
  params: Promise<BatchKey>;
  searchParams: Promise<{ with?: string | string[]; show?: string | string[] }>;
}

export async function generateMetadata({ params }: ComparePageProps): Promise<Metadata> {
  const key = readBatchKey(await params);
  return { title: key ? `Compare ${key.batchId}` : "Batch not found" };
}

export default async function ComparePage({ params, searchParams }: ComparePageProps) {
  const [path, query] = await Promise.all([params, searchParams]);
  const key = readBatchKey(path);
  if (!key) notFound();
  const given = typeof query.with === "string" ? query.with.trim() : undefined;
  const show = DIFFERENCE_KINDS.find((kind) => kind === query.show);
  await requireStaff(comparePath(key, given, show));
  const { batches } = (await consoleCaller()).console;
  const withId = given ?? (await batches.compared(key)).withId ?? undefined;
  const { compared, why }: Result = withId === undefined ? {} : await compare(key, withId, show);
  return (
    <div className="mx-auto flex w-full max-w-[1040px] flex-col gap-6 p-4 md:p-6">
      <h1 className="wrap-anywhere font-semibold text-title">
        Compare <span className="font-mono">{key.batchId}</span>
      </h1>
      {withId !== given && <ReplaceUrl href={comparePath(key, withId, show)} />}
      <ChooseBatch key={withId} batchKey={key} withId={withId ?? ""} error={why} />
      {withId === undefined && (
        <p className="text-muted">
          The contract has no earlier finalized batch of this point type. Enter the ID of another batch.
        </p>
      )}
      {compared && <CompareView compared={compared} show={show} asOf={new Date().toISOString()} />}
    </div>
  );
}

interface Result {
  compared?: ComparedBatches;
  /** Why the two cannot be compared. */
  why?: string;
}

async function compare(key: BatchKey, withId: string, show?: DifferenceKind): Promise<Result> {
  if (!BATCH_ID_PATTERN.test(withId)) return { why: "Enter a valid batch ID." };
  const { batches } = (await consoleCaller()).console;
  try {
    return { compared: await batches.compare({ ...key, withId, ...(show && { show }) }) };
  } catch (error) {
    const { code, message } = toDomainError(error);
    if (code === "validation_failed") return { why: message };
    if (code === "batch_not_found")
      return {
        why: `The contract has no batch ${withId}. Only batches of the same contract can be compared.`,
      };
    throw error;
  }
}
