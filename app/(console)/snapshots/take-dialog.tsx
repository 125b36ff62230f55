import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import { TYPE_LABELS } from "@/app/(console)/batches/status";
import { useChange, useTRPC } from "@/app/data/trpc";
import { MutationDialog } from "@/app/ui/dialogs";
import { CheckBox, TextField, textOf } from "@/app/ui/fields";
import { instantAt } from "@/app/ui/format-time";
import { useTimeZone } from "@/app/ui/time";
import type { SnapshotScope } from "./scope-choice";
import { snapshotsPath } from "./snapshot-params";

export default function TakeDialog({
  pointType,
  contractAddress,
  close,
}: SnapshotScope & { close: () => void }) {
  const { snapshots } = useTRPC().console;
  const { zone } = useTimeZone();
  const router = useRouter();
  const refresh = useChange([snapshots.pathFilter()])();
  const time = useRef<HTMLInputElement>(null);
  const [timeError, setTimeError] = useState<string>();
  const inputOf = (form: FormData) => {
    // A time that is only half entered would otherwise count as the current one.
    const isHalf = time.current?.validity.badInput;
    setTimeError(isHalf ? "Enter both a date and a time, or neither." : undefined);
    if (isHalf) return;
    const [name, at] = [textOf(form, "name"), textOf(form, "asOf")];
    return {
      pointType,
      includeContracts: form.get("includeContracts") !== null,
      ...(contractAddress && { contractAddress }),
      ...(name && { name }),
      ...(at && { asOf: new Date(instantAt(at, zone)).toISOString() }),
    };
  };
  return (
    <MutationDialog
      options={snapshots.take.mutationOptions({
        ...refresh,
        onSuccess: ({ id }) => {
          close();
          router.push(snapshotsPath({ snapshot: id }));
        },
      })}
      close={close}
      title={`Take a snapshot of ${TYPE_LABELS[pointType].toLowerCase()}`}
      description={
        contractAddress
          ? "It freezes what each recipient holds of this contract’s points: what its finalized batches " +
            "paid, less its finalized reversals."
          : "It freezes what each recipient holds over all contracts. Pending points are not in it."
      }
      submit="Take snapshot"
      inputOf={inputOf}
    >
      <TextField
        label="Name (optional)"
        hint="What it is for. By default its points and time."
        name="name"
        autoFocus
      />
      <TextField
        ref={time}
        label="As of (optional)"
        hint={`An earlier time, in ${zone}. Leave it empty for the current time.`}
        error={timeError}
        name="asOf"
        type="datetime-local"
        step={1}
      />
      <CheckBox name="includeContracts">
        Count registered contracts as holders. Otherwise only the sum of what they hold is shown.
      </CheckBox>
    </MutationDialog>
  );
}
