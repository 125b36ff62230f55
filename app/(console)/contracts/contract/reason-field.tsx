import { Field, TextArea } from "../../../ui/field";

const REASON_CHARS_MAX = 500;

export const ReasonField = ({ error }: { error: string | undefined }) => (
  <Field label="Reason" hint="Required. Shown in the audit log." error={error}>
    {(control) => <TextArea {...control} name="reason" rows={3} maxLength={REASON_CHARS_MAX} />}
  </Field>
);

export const reasonOf = (form: FormData) => String(form.get("reason") ?? "").trim();
