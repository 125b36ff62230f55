import { SearchX } from "lucide-react";
import { EmptyState } from "../ui/empty-state";

export default function WalletNotFound() {
  return (
    <EmptyState icon={SearchX} heading="h1" title="This is not a wallet address">
      <p className="text-muted">
        Check the link. An address is 0x and 40 more characters, and with the wrong upper or lower case it is
        refused.
      </p>
    </EmptyState>
  );
}
