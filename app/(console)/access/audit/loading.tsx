import { AccessHead, AccessSkeleton } from "@/app/(console)/access/access-head";

export default function Loading() {
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <AccessHead here="/access/audit" />
      <div className="h-[52px] border-line border-b" />
      <AccessSkeleton what="audit log" />
    </div>
  );
}
