import type { ComponentProps } from "react";
import { Link } from "@/app/ui/button";
import { classNames } from "@/app/ui/class-names";
import { IdText } from "@/app/ui/hash-text";
import { batchPath } from "./paths";

interface BatchLinkProps extends Omit<ComponentProps<typeof Link>, "href" | "id"> {
  contractAddress: string;
  id: string;
}

/** The class name sets the width. */
export const BatchLink = ({ contractAddress, id, className, ...props }: BatchLinkProps) => (
  <Link
    {...props}
    href={batchPath({ contractAddress, id })}
    title={id}
    aria-label={id}
    className={classNames("block rounded-badge mono outline-offset-1 hover:text-accent", className)}
  >
    <IdText value={id} />
  </Link>
);

export const BatchIdLink = (batch: { contractAddress: string; id: string }) => (
  <Link
    href={batchPath(batch)}
    className="break-all font-mono text-accent text-mono underline-offset-2 hover:underline"
  >
    {batch.id}
  </Link>
);
