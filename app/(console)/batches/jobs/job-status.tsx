import { CircleCheck, CircleStop, LoaderCircle } from "lucide-react";
import type { BulkJob } from "@/server/batches/bulk/bulk-schema";
import { Badge } from "../../../ui/badge";

const LOOKS = {
  RUNNING: { label: "Running", tone: "finalizing", icon: LoaderCircle },
  FINISHED: { label: "Finished", tone: "finalized", icon: CircleCheck },
  STOPPED: { label: "Stopped", tone: "cancelled", icon: CircleStop },
} as const;

export function JobStatus({ status }: Pick<BulkJob, "status">) {
  const { label, tone, icon } = LOOKS[status];
  return (
    <Badge tone={tone} icon={icon} spin={status === "RUNNING"}>
      {label}
    </Badge>
  );
}
