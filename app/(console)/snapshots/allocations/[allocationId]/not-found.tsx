import { NotFound } from "@/app/ui/states";

export default function AllocationNotFound() {
  return (
    <NotFound title="Allocation not found" href="/snapshots" link="View snapshots">
      Check the ID in the link. Someone may have deleted the allocation; the audit log says who.
    </NotFound>
  );
}
