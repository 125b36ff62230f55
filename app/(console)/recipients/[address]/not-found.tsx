import { SearchX } from "lucide-react";
import Link from "next/link";
import { buttonLook } from "../../../ui/button";
import { EmptyState } from "../../../ui/empty-state";

export default function RecipientNotFound() {
  return (
    <EmptyState icon={SearchX} heading="h1" title="This is no address">
      <p className="text-muted">
        An address is 0x and 40 hex digits. One with capital letters must satisfy its checksum: a digit may be
        wrong.
      </p>
      <Link href="/batches" className={buttonLook()}>
        All batches
      </Link>
    </EmptyState>
  );
}
