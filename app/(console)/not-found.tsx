import { SearchX } from "lucide-react";
import { ButtonLink } from "@/app/ui/button-link";
import { EmptyState } from "@/app/ui/empty-state";

export default function ConsoleNotFound() {
  return (
    <EmptyState icon={SearchX} heading="h1" title="Page not found">
      <p className="text-muted">Check the link, or press / and search for what you need.</p>
      <ButtonLink href="/batches">View all batches</ButtonLink>
    </EmptyState>
  );
}
