import { SearchX } from "lucide-react";
import Link from "next/link";
import { buttonLook } from "../../../../ui/button";
import { EmptyState } from "../../../../ui/empty-state";

export default function BatchNotFound() {
  return (
    <EmptyState icon={SearchX} heading="h1" title="There is no such batch">
      <p className="text-muted">Check the contract address and the batch id in the link.</p>
      <Link href="/batches" className={buttonLook()}>
        All batches
      </Link>
    </EmptyState>
  );
}
