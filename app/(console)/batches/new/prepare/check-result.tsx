import { clsx } from "clsx";
import { CircleCheck, Download, TriangleAlert } from "lucide-react";
import dynamic from "next/dynamic";
import { batchesOf, TYPE_LABELS, transfersOf } from "@/app/(console)/batches/status";
import { Alert } from "@/app/ui/alert";
import { Amount, counted, formatCount } from "@/app/ui/amount";
import { Button } from "@/app/ui/button";
import { Fact, FactList } from "@/app/ui/section";
import { Skeleton } from "@/app/ui/states";
import type { PointType } from "@/terms/batch-terms";
import type { FileError } from "@/terms/file/checked";
import { PARTS_MAX } from "./batch-fields";
import type { FileUse } from "./use-file";

const ErrorList = dynamic(() => import("./error-list"), {
  loading: () => <Skeleton className="h-40 w-full" />,
});

interface CheckResultProps {
  file: FileUse;
  pointType: PointType;
  onLine: ((error: FileError) => void) | undefined;
}

export function CheckResult({ file, pointType, onLine }: CheckResultProps) {
  const { progress, reading, isChecking, checked, refused, loaded } = file;
  if (refused) return <Alert>{refused}</Alert>;
  if (progress)
    return (
      <Status>
        {progress.of === "rows"
          ? `Checking ${counted(progress.count, "row", "rows")}…`
          : `Comparing with ${batchesOf(progress.count)} that the file names…`}{" "}
        <span aria-hidden className="tabular-nums">
          {formatCount(progress.done)} done
        </span>
        <progress
          aria-label="Done"
          value={progress.done}
          max={progress.count}
          className="mt-2 block h-1.5 w-full"
        />
      </Status>
    );
  if (reading !== undefined) return <Status>Reading {reading}…</Status>;
  if (isChecking && loaded) return <Status>Checking {counted(loaded.rowCount, "row", "rows")}…</Status>;
  // A question above says that it is not checked.
  if (!checked || checked.questions.length > 0) return null;
  const bad = checked.badRows;
  const [first] = checked.errors;
  const isOther = first?.code === "other_type" && bad === checked.rowCount;
  if (isOther && checked.errors.every(({ message }) => message === first.message))
    return <Alert>{first.message}</Alert>;
  const leftOut = checked.below.leftOut.length;
  const tooMany = checked.parts.length > PARTS_MAX;
  return (
    <div className="flex flex-col gap-4">
      <div role="status" className="card flex flex-col gap-3 p-4">
        <p
          className={clsx(
            "flex items-center gap-2 font-medium text-body",
            bad ? "text-danger" : "text-finalized",
          )}
        >
          {bad ? <TriangleAlert size={16} /> : <CircleCheck size={16} />}
          {bad
            ? `${formatCount(bad)} of ${counted(checked.rowCount, "row", "rows")} ` +
              `${bad === 1 ? "has" : "have"} errors`
            : `${counted(checked.rowCount - leftOut, "row is", "rows are")} valid`}
        </p>
        {bad > 0 ? (
          <p className="hint">
            Fix every row to continue.{" "}
            {onLine
              ? "Select a line below to edit it here, or fix the file and choose it again."
              : "Fix the file and choose it again."}{" "}
            Without these rows, it is {transfersOf(checked.transferCount)} with{" "}
            <Amount value={checked.points} wraps /> {TYPE_LABELS[pointType]}.
          </p>
        ) : (
          <FactList className="border-0! px-0!">
            <Fact name="Transfers">{formatCount(checked.transferCount)}</Fact>
            <Fact name={`Total (${TYPE_LABELS[pointType]})`}>
              <Amount value={checked.points} wraps />
            </Fact>
          </FactList>
        )}
        {bad === 0 && leftOut > 0 && (
          <Button
            size="small"
            icon={Download}
            className="self-start"
            onClick={() => void import("./error-list").then(({ download }) => download(file))}
          >
            Download rows left out
          </Button>
        )}
        {tooMany && (
          <p className="text-danger text-label">
            You can submit up to {PARTS_MAX} batches at a time. Split the file.
          </p>
        )}
      </div>
      {bad > 0 && <ErrorList file={file} checked={checked} onLine={onLine} />}
    </div>
  );
}

const Status = ({ children }: { children: React.ReactNode }) => (
  <p role="status" className="card p-4 text-body">
    {children}
  </p>
);
