import { FileText, SearchX } from "lucide-react";
import { Button } from "../../ui/button";
import { EmptyState } from "../../ui/empty-state";

export function NoContracts({ onClear }: { onClear: (() => void) | undefined }) {
  if (onClear)
    return (
      <EmptyState icon={SearchX} title="No results">
        <p className="text-muted">Search for any part of a label, or the start of an address.</p>
        <Button onClick={onClear}>Clear search</Button>
      </EmptyState>
    );
  return (
    <EmptyState icon={FileText} title="No contracts yet">
      <p className="text-muted">
        A contract is an address that sends points. It can submit batches once an admin has registered it and
        created an access token for it, here or with{" "}
        <code className="font-mono text-mono">npm run -s ops -- contract create</code>.
      </p>
    </EmptyState>
  );
}
