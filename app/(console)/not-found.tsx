import { SearchX } from "lucide-react";
import Link from "next/link";
import { buttonLook } from "../ui/button";
import { EmptyState } from "../ui/empty-state";

export default function ConsoleNotFound() {
  return (
    <EmptyState icon={SearchX} heading="h1" title="Page not found">
      <p className="text-muted">Check the link, or press / and search for what you need.</p>
      <Link href="/batches" className={buttonLook()}>
        View all batches
      </Link>
    </EmptyState>
  );
}
