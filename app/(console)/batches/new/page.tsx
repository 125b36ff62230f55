import { Lock } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { consoleCaller } from "@/server/trpc/caller";
import { buttonLook } from "../../../ui/button";
import { EmptyState } from "../../../ui/empty-state";
import { requireStaff } from "../../require-staff";
import { NewBatchFrame } from "./frame";
import { NewBatch } from "./new-batch";

export const metadata: Metadata = { title: "New batch" };

export default async function NewBatchPage() {
  await requireStaff("/batches/new");
  const caller = await consoleCaller();
  const person = await caller.console.session.me();
  if (person.role === "viewer") return <OperatorsOnly />;
  const [contracts, { limits }] = await Promise.all([
    caller.console.contracts.list(),
    caller.console.session.service(),
  ]);
  return (
    <NewBatchFrame>
      <NewBatch
        contracts={contracts.map(({ address, label, issuance }) => ({ address, label, issuance }))}
        limits={limits}
        asOf={new Date().toISOString()}
      />
    </NewBatchFrame>
  );
}

function OperatorsOnly() {
  return (
    <EmptyState icon={Lock} heading="h1" title="Batches are submitted by operators">
      <p className="text-muted">
        Your role is viewer: you can see every batch, and change none. Ask an admin for the role operator.
      </p>
      <Link href="/batches" className={buttonLook()}>
        All batches
      </Link>
    </EmptyState>
  );
}
