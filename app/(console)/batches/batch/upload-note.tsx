"use client";
import { FileText } from "lucide-react";
import Link from "next/link";
import type { BatchUpload } from "@/server/batches/list/console-schema";
import { formatCount } from "../../../ui/amount";
import { buttonLook } from "../../../ui/button-look";
import { useStaff } from "../../staff";
import { uploadPath } from "../paths";
import { BulkButtons } from "../selection/bulk-buttons";

/** The batch's place in its file, whose parts can be held or cancelled together. */
export function UploadNote({ upload: { id, part, partCount, fileName } }: { upload: BatchUpload }) {
  const { role } = useStaff();
  return (
    <section
      aria-label="Uploaded file"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-control border border-line bg-surface px-3 py-2 text-table"
    >
      <FileText aria-hidden size={14} className="shrink-0 text-muted" />
      <span className="wrap-anywhere min-w-0">
        Part {formatCount(part)} of {formatCount(partCount)} of {fileName}
      </span>
      <span className="ml-auto flex flex-wrap items-center gap-2">
        <Link href={uploadPath(id)} className={buttonLook({ size: "small", variant: "ghost" })}>
          View all parts
        </Link>
        {role !== "viewer" && (
          <>
            <span className="text-label text-muted">All parts:</span>
            <BulkButtons chosen={{ filters: { uploadId: id } }} />
          </>
        )}
      </span>
    </section>
  );
}
