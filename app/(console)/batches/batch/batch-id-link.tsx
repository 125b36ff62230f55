import Link from "next/link";
import { batchPath } from "../paths";

interface BatchIdLinkProps {
  contractAddress: string;
  id: string;
}

export function BatchIdLink(batch: BatchIdLinkProps) {
  return (
    <Link
      href={batchPath(batch)}
      className="break-all font-mono text-accent text-mono underline-offset-2 hover:underline"
    >
      {batch.id}
    </Link>
  );
}
