import Link from "next/link";
import { classNames } from "../../../ui/class-names";
import { shortenHash } from "../../../ui/hash-text";
import { IdText } from "../../../ui/id-text";

const BATCH = /^batch:(0x[0-9a-fA-F]{40})\/(.+)$/;
const ADDRESS = /^(contract|recipient):(0x[0-9a-fA-F]{40})$/;
const BULK_JOB = /^bulk:([0-9a-f-]{36})$/;
const LINK = "rounded-badge hover:text-accent";

/** A batch, a contract or a recipient links to its page. */
export function AuditTarget({ target, className }: { target: string; className?: string }) {
  const [, contract, batchId] = BATCH.exec(target) ?? [];
  if (contract && batchId) {
    return (
      <Link
        href={`/batches/${contract}/${encodeURIComponent(batchId)}`}
        prefetch={false}
        title={target}
        aria-label={batchId}
        className={classNames(LINK, "font-mono text-mono", className)}
      >
        <IdText value={batchId} />
      </Link>
    );
  }
  const [, kind, address] = ADDRESS.exec(target) ?? [];
  if (address) {
    return (
      <Link
        href={`/${kind}s/${address}`}
        prefetch={false}
        title={target}
        className={classNames(LINK, "font-mono text-mono", className)}
      >
        {shortenHash(address)}
      </Link>
    );
  }
  const [, jobId] = BULK_JOB.exec(target) ?? [];
  if (jobId) {
    return (
      <Link
        href={`/batches/jobs/${jobId}`}
        prefetch={false}
        title={target}
        className={classNames(LINK, className)}
      >
        Bulk job
      </Link>
    );
  }
  return (
    <span title={target} className={className}>
      {target.replace(/^staff:/, "")}
    </span>
  );
}
