import { type ComponentProps, type ReactNode, useId } from "react";
import { classNames } from "./class-names";

const INPUT =
  "w-full rounded-control border border-input-line bg-surface px-2.5 text-text outline-offset-0 aria-invalid:border-danger disabled:opacity-60";

export function Input({ className, ...props }: ComponentProps<"input">) {
  return <input {...props} className={classNames(INPUT, "h-9 text-body", className)} />;
}

export function TextArea({ className, ...props }: ComponentProps<"textarea">) {
  return <textarea {...props} className={classNames(INPUT, "py-2 text-body", className)} />;
}

interface FieldProps {
  label: string;
  hint?: ReactNode;
  error?: string;
  children: (control: {
    id: string;
    "aria-invalid": boolean;
    "aria-describedby": string | undefined;
  }) => ReactNode;
}

export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const note = error ?? hint;
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-medium text-label">
        {label}
      </label>
      {children({ id, "aria-invalid": Boolean(error), "aria-describedby": note ? noteId : undefined })}
      {note && (
        <p id={noteId} className={classNames("text-label", error ? "text-danger" : "text-muted")}>
          {note}
        </p>
      )}
    </div>
  );
}

type TextFieldProps = ComponentProps<typeof Input> & Omit<FieldProps, "children">;

export function TextField({ label, hint, error, ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <Input {...input} {...control} />}
    </Field>
  );
}

/** The trimmed text of a field. */
export const textOf = (form: FormData, name: string) => String(form.get(name) ?? "").trim();

/** Catches typing errors; the server has the last word. */
export const EMAIL_PATTERN = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
