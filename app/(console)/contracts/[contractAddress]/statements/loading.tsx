import { StatementSkeleton } from "../../statements/statement-skeleton";

export default function Loading() {
  return (
    <div className="mx-auto w-full max-w-[960px]">
      <StatementSkeleton />
    </div>
  );
}
