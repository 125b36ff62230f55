import { clsx } from "clsx";
import type { ComponentProps } from "react";
import { Link } from "@/app/ui/button";
import { IdText } from "@/app/ui/hash-text";
import type { NamedBatch } from "./batch-key";
import { batchPath } from "./paths";

type BatchLinkProps = Omit<ComponentProps<typeof Link>, "href" | "id"> & NamedBatch;

/** The class name sets the width. */
export const BatchLink = ({ contractAddress, id, className, ...props }: BatchLinkProps) => (
  <Link
    {...props}
    href={batchPath({ contractAddress, id })}
    title={id}
    aria-label={id}
    className={clsx("block rounded-badge mono outline-offset-1 hover:text-accent", className)}
  >
    <IdText value={id} />
  </Link>
);

export const BatchIdLink = (batch: NamedBatch) => (
  <Link
    href={batchPath(batch)}
    className="break-all font-mono text-accent text-mono underline-offset-2 hover:underline"
  >
    {batch.id}
  </Link>
);
