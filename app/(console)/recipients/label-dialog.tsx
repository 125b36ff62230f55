import { useRouter } from "next/navigation";
import { useChange, useTRPC } from "@/app/data/trpc";
import { MutationDialog } from "@/app/ui/dialogs";
import { TextField, textOf } from "@/app/ui/fields";

interface LabelDialogProps {
  address: string;
  label: string | null;
  close: () => void;
}

export default function LabelDialog({ address, label, close }: LabelDialogProps) {
  const { recipients, batches, search } = useTRPC().console;
  const router = useRouter();
  const changed = useChange(
    [recipients.pathFilter(), batches.transfers.queryFilter(), search.pathFilter()],
    () => {
      close();
      // The tab's title has the label too.
      router.refresh();
    },
  );
  return (
    <MutationDialog
      options={recipients.setLabel.mutationOptions(
        changed((input: { label: string | null }) =>
          input.label === null ? "Label removed" : "Label saved",
        ),
      )}
      close={close}
      title={label === null ? "Add label" : "Edit label"}
      description="Shown next to the address, never instead of it, to everyone in the console."
      submit="Save"
      inputOf={(form) => {
        const text = textOf(form, "label");
        return { address, label: text === "" && label !== null ? null : text };
      }}
    >
      <TextField
        label="Label"
        hint={`Up to 80 characters.${label === null ? "" : " Leave it empty to remove the label."}`}
        name="label"
        defaultValue={label ?? ""}
        autoFocus
      />
    </MutationDialog>
  );
}
