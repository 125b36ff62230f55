import { Compass } from "lucide-react";
import Link from "next/link";
import { buttonLook } from "./ui/button";
import { EmptyState } from "./ui/empty-state";

export default function NotFound() {
  return (
    <main className="pt-16">
      <EmptyState icon={Compass} heading="h1" title="There is nothing at this address">
        <p className="text-muted">Check the link, or start from the list of batches.</p>
        <Link href="/batches" className={buttonLook()}>
          All batches
        </Link>
      </EmptyState>
    </main>
  );
}
