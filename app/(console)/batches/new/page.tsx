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
