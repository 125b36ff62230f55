import { FileText, SearchX } from "lucide-react";
import { Button } from "../../ui/button";
import { EmptyState } from "../../ui/empty-state";

/** Nothing to list: because of a search that can be cleared, or because there is nothing yet. */
export function NoContracts({ onClear }: { onClear: (() => void) | undefined }) {
  if (onClear)
    return (
      <EmptyState icon={SearchX} title="No contract matches">
        <p className="text-muted">A label contains what is searched for; an address starts with it.</p>
        <Button onClick={onClear}>Clear search</Button>
      </EmptyState>
    );
  return (
    <EmptyState icon={FileText} title="No contracts yet">
      <p className="text-muted">
        A contract is an address that sends points. It can submit batches as soon as an admin registers it
        here and makes a token for it. The same on the command line:{" "}
        <code className="font-mono text-mono">npm run -s ops -- contract create</code>
      </p>
    </EmptyState>
  );
}
