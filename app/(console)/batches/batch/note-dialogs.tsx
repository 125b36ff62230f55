"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { BatchNote } from "@/server/batches/list/console-schema";
import type { BatchKey } from "@/server/kernel/values/batch-schema";
import { fieldError, problemOf } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { Field, TextArea } from "../../../ui/field";
import { FormDialog } from "../../../ui/form-dialog";
import { notify } from "../../../ui/toast";

const NOTE_CHARS_MAX = 1000;

interface AddNoteDialogProps {
  batchKey: BatchKey;
  close: () => void;
}

export function AddNoteDialog({ batchKey, close }: AddNoteDialogProps) {
  const { batches } = useTRPC().console;
  const add = useMutation(batches.addNote.mutationOptions(useNoteChange(batchKey, "Note added", close)));
  const problem = add.error && problemOf(add.error);
  const error = fieldError(problem, "text");
  return (
    <FormDialog
      open
      onOpenChange={close}
      title="Add note"
      description="Shown in the batch's timeline with your name. The batch itself does not change."
      problem={error ? null : problem}
      busy={add.isPending}
      submit="Add note"
      onSubmit={(form) => add.mutate({ ...batchKey, text: String(form.get("text") ?? "").trim() })}
    >
      <Field label="Note" error={error} hint={`Plain text, up to ${NOTE_CHARS_MAX} characters.`}>
        {(control) => <TextArea {...control} name="text" rows={4} maxLength={NOTE_CHARS_MAX} autoFocus />}
      </Field>
    </FormDialog>
  );
}

interface DeleteNoteDialogProps extends AddNoteDialogProps {
  note: BatchNote;
}

export function DeleteNoteDialog({ batchKey, note, close }: DeleteNoteDialogProps) {
  const { batches } = useTRPC().console;
  const remove = useMutation(
    batches.deleteNote.mutationOptions(useNoteChange(batchKey, "Note deleted", close)),
  );
  return (
    <FormDialog
      open
      onOpenChange={close}
      title="Delete this note?"
      description="Its text cannot be restored. The audit log still shows that there was a note, and that you deleted it."
      problem={remove.error && problemOf(remove.error)}
      busy={remove.isPending}
      submit="Delete note"
      danger
      onSubmit={() => remove.mutate({ ...batchKey, noteId: note.id })}
    />
  );
}

function useNoteChange(batchKey: BatchKey, done: string, close: () => void) {
  const { batches } = useTRPC().console;
  const queryClient = useQueryClient();
  return {
    onSuccess: () => {
      notify("success", done);
      close();
    },
    onSettled: () => queryClient.invalidateQueries(batches.get.queryFilter(batchKey)),
  };
}
