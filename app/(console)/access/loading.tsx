import { AccessHead, AccessSkeleton } from "./access-head";

export default function Loading() {
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <AccessHead here="/access" />
      <AccessSkeleton what="team members" />
    </div>
  );
}
