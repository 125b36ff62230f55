import Link from "next/link";
import { classNames } from "../../../ui/class-names";
import { shortenHash } from "../../../ui/hash-text";
import { IdText } from "../../../ui/id-text";

const BATCH = /^batch:(0x[0-9a-fA-F]{40})\/(.+)$/;
const CONTRACT = /^contract:(0x[0-9a-fA-F]{40})$/;
const LINK = "rounded-badge hover:text-accent";

/** A batch or a contract links to its page. */
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
  const [, address] = CONTRACT.exec(target) ?? [];
  if (address) {
    return (
      <Link
        href={`/contracts/${address}`}
        prefetch={false}
        title={target}
        className={classNames(LINK, "font-mono text-mono", className)}
      >
        {shortenHash(address)}
      </Link>
    );
  }
  return (
    <span title={target} className={className}>
      {target.replace(/^staff:/, "")}
    </span>
  );
}
