import { SearchX } from "lucide-react";
import Link from "next/link";
import { buttonLook } from "@/app/ui/button-look";
import { EmptyState } from "@/app/ui/empty-state";

export default function BatchNotFound() {
  return (
    <EmptyState icon={SearchX} heading="h1" title="Batch not found">
      <p className="text-muted">Check the contract address and the batch ID in the link.</p>
      <Link href="/batches" className={buttonLook()}>
        View all batches
      </Link>
    </EmptyState>
  );
}
