import { NotFound } from "@/app/ui/states";

export default function BatchNotFound() {
  return (
    <NotFound title="Batch not found" href="/batches" link="View all batches">
      Check the contract address and the batch ID in the link.
    </NotFound>
  );
}
