import { formatCount } from "@/app/ui/amount";
import { Section } from "@/app/ui/section";
import type { BulkJob } from "@/server/batches/bulk/schema";
import { DataTable } from "../../../ui/data-table";
import { batchesOf } from "../count-words";
import { Amounts } from "../selection/amounts";
import { ACTION_WORDS, obstacleWords } from "../selection/bulk-words";

const OBSTACLE_NAMES = {
  OVERTAKEN: "Overtaken",
  EXCLUDED: "Excluded in the preview",
  FAILED: "Failed",
} as const;

export function JobResults({ job }: { job: BulkJob }) {
  const { done } = ACTION_WORDS[job.action];
  const open = job.status === "RUNNING" ? "Not processed yet" : "Not processed: the job was stopped";
  const rows = [
    { name: done.charAt(0).toUpperCase() + done.slice(1), why: "", ...job.done },
    ...(job.open.batches > 0 ? [{ name: open, why: "", ...job.open }] : []),
    ...job.obstacles.map((share) => ({
      ...share,
      name: OBSTACLE_NAMES[share.result],
      why: obstacleWords(share.why),
    })),
  ];
  return (
    <Section title="Results">
      <DataTable
        label="Results table"
        className="rounded-card border border-line bg-surface"
        rows={rows}
        keyOf={({ name, why }) => `${name}${why}`}
        columns={[
          {
            id: "result",
            name: "Result",
            isRowHeader: true,
            render: ({ name, why }) => (
              <span>
                {name}
                {why && <span className="block text-label text-muted">{why}</span>}
              </span>
            ),
          },
          { id: "batches", name: "Batches", right: true, render: ({ batches }) => formatCount(batches) },
          {
            id: "transfers",
            name: "Transfers",
            right: true,
            render: ({ transfers }) => formatCount(transfers),
          },
          { id: "amount", name: "Amount", right: true, render: (row) => <Amounts amounts={row.amounts} /> },
        ]}
      />
      <p className="mt-2 text-label text-muted">
        {batchesOf(job.batches)} {job.batches === 1 ? "was" : "were"} selected.
        {job.obstacles.some(({ result }) => result === "OVERTAKEN") &&
          " “Overtaken” means that the finalizer or someone else changed the batch before the job did."}
      </p>
    </Section>
  );
}
