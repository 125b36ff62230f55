import { Search } from "lucide-react";
import { EmptyState } from "@/app/ui/states";

export default function WalletNotFound() {
  return (
    <EmptyState icon={Search} heading="h1" title="Invalid address">
      Check the link. An address is 0x followed by 40 hex digits. If it has uppercase letters, its checksum
      must match.
    </EmptyState>
  );
}
