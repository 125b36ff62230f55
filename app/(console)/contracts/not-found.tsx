import { NotFound } from "@/app/ui/states";

export default function ContractNotFound() {
  return (
    <NotFound title="Contract not found" href="/contracts" link="View all contracts">
      Check the address in the link. A new contract must be registered by an admin first.
    </NotFound>
  );
}
