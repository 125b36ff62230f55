import { AccessHead } from "./access-head";
import { RowsSkeleton } from "./rows-skeleton";

export default function Loading() {
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <AccessHead here="/access" />
      <RowsSkeleton what="staff" />
    </div>
  );
}
