import { SearchX } from "lucide-react";
import Link from "next/link";
import { buttonLook } from "../../ui/button";
import { EmptyState } from "../../ui/empty-state";

export default function RecipientNotFound() {
  return (
    <EmptyState icon={SearchX} heading="h1" title="Invalid address">
      <p className="text-muted">
        An address is 0x followed by 40 hex digits. If it has uppercase letters, its checksum must match, so
        check it for typos.
      </p>
      <Link href="/batches" className={buttonLook()}>
        View all batches
      </Link>
    </EmptyState>
  );
}
