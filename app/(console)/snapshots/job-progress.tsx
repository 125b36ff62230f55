import type { ReactNode } from "react";
import { LiveRefresh } from "@/app/(console)/operations/actions";
import { Spinner } from "@/app/ui/button";

const EVERY_MS = 2_000;

/** While a worker makes something. The page is drawn again until it has ended, or was deleted. */
export const JobProgress = ({ children }: { children: ReactNode }) => (
  <>
    <p role="status" className="note bg-finalizing-ground text-finalizing">
      <Spinner />
      <span className="min-w-0 tabular-nums">{children} You can leave this page.</span>
    </p>
    <LiveRefresh everyMs={EVERY_MS} />
  </>
);
