"use client";
import Link from "next/link";
import type { MouseEvent } from "react";
import type { ConsoleBatch } from "@/server/batches/list/console-schema";
import { classNames } from "../../../ui/class-names";
import { IdText } from "../../../ui/id-text";
import { batchKey, batchPath } from "../paths";
import { useListParams } from "../use-list-params";

/** Opens the batch next to the list. With a modifier key it is a plain link to the batch page. */
export function BatchLink({ batch, className }: { batch: ConsoleBatch; className?: string }) {
  const { setParams } = useListParams();
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void setParams({ open: batchKey(batch) });
  };
  return (
    <Link
      href={batchPath(batch)}
      prefetch={false}
      onClick={open}
      data-batch-link
      title={batch.id}
      aria-label={batch.id}
      className={classNames(
        "block rounded-badge font-medium font-mono text-mono text-text outline-offset-1 hover:text-accent",
        className,
      )}
    >
      <IdText value={batch.id} />
    </Link>
  );
}
