import { AccessHead } from "../access-head";
import { AccessSkeleton } from "../access-skeleton";

export default function Loading() {
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <AccessHead here="/access/audit" />
      <div className="h-[52px] border-line border-b" />
      <AccessSkeleton what="audit log" />
    </div>
  );
}
