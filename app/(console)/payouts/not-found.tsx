import { NotFound } from "@/app/ui/states";

export default function PayoutNotFound() {
  return (
    <NotFound title="Payout not found" href="/batches" link="View all batches">
      Check the contract address and the payout ID in the link.
    </NotFound>
  );
}
