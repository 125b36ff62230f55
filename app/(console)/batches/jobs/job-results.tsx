import type { BulkJob } from "@/server/batches/bulk/bulk-schema";
import { Amount } from "../../../ui/amount";
import { Section } from "../batch/section";
import { ACTION_WORDS, batchesOf, obstacleWords } from "../selection/bulk-words";
import { Amounts } from "../selection/shares";

export function JobResults({ job }: { job: BulkJob }) {
  const { done } = ACTION_WORDS[job.action];
  const rows = [
    { name: done.charAt(0).toUpperCase() + done.slice(1), share: job.done },
    ...(job.open.batches > 0
      ? [
          {
            name: job.status === "RUNNING" ? "Not processed yet" : "Not processed: the job was stopped",
            share: job.open,
          },
        ]
      : []),
    ...job.obstacles.map((share) => ({
      name: { OVERTAKEN: "Overtaken", EXCLUDED: "Excluded at the preview", FAILED: "Failed" }[share.result],
      why: obstacleWords(share.why),
      share,
    })),
  ];
  return (
    <Section title="Results">
      <div className="rounded-card border border-line bg-surface">
        <table className="w-full text-table">
          <thead className="text-label text-muted">
            <tr>
              <th scope="col" className="h-9 px-4 text-left font-medium">
                Result
              </th>
              <th scope="col" className="px-4 text-right font-medium">
                Batches
              </th>
              <th scope="col" className="px-4 text-right font-medium max-md:hidden">
                Transfers
              </th>
              <th scope="col" className="px-4 text-right font-medium">
                Amount
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, share, ...row }) => (
              <tr key={`${name}${"why" in row ? row.why : ""}`} className="border-line border-t align-top">
                <th scope="row" className="px-4 py-2 text-left font-normal">
                  {name}
                  {"why" in row && <span className="block text-label text-muted">{row.why}</span>}
                </th>
                <td className="px-4 py-2 text-right">
                  <Amount value={String(share.batches)} />
                </td>
                <td className="px-4 py-2 text-right max-md:hidden">
                  <Amount value={String(share.transfers)} />
                </td>
                <td className="px-4 py-2 text-right">
                  <Amounts amounts={share.amounts} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="mt-2 text-label text-muted">
        {batchesOf(job.batches)} {job.batches === 1 ? "was" : "were"} chosen.
        {job.obstacles.some(({ result }) => result === "OVERTAKEN") &&
          " “Overtaken” means that the finalizer or someone else changed the batch before the job did."}
      </p>
    </Section>
  );
}
