import { clsx } from "clsx";
import { ChevronDown, Search } from "lucide-react";
import {
  type ComponentProps,
  createContext,
  type KeyboardEvent as ReactKeyboardEvent,
  type ReactNode,
  use,
  useEffect,
  useId,
  useState,
} from "react";
import { fieldError, problemOf } from "@/app/data/problem";

const INPUT = "field w-full aria-invalid:border-danger disabled:opacity-60";

export function Input({ className, ...props }: ComponentProps<"input">) {
  return <input {...props} className={clsx(INPUT, "h-9 text-body", className)} />;
}

interface SearchInputProps extends ComponentProps<"input"> {
  "aria-label": string;
  /** As high as a small button. */
  isSmall?: boolean;
}

/** The class name sets its width. */
export const SearchInput = ({ className, isSmall, ...props }: SearchInputProps) => (
  <search className={clsx("relative", className)}>
    <Search size={14} className={clsx("absolute left-2.5 text-muted", isSmall ? "top-2" : "top-2.5")} />
    <Input
      type="search"
      autoComplete="off"
      spellCheck={false}
      {...props}
      className={isSmall ? "h-7! pl-8 text-table!" : "pl-8"}
    />
  </search>
);

/** The title of the dialog around a field. */
export const DialogTitle = createContext<string | null>(null);

/** What is typed in a dialog survives the end of the session: signing in again loads the page anew. */
function useDraft(name: string | undefined): ComponentProps<"textarea"> {
  const dialog = use(DialogTitle);
  const [draft] = useState(() => {
    if (dialog === null) return null;
    const key = `draft ${location.pathname}${location.search} ${dialog} ${name}`;
    return { key, text: sessionStorage.getItem(key) ?? "" };
  });
  useEffect(() => () => void (draft && sessionStorage.removeItem(draft.key)), [draft]);
  if (!draft) return {};
  return {
    defaultValue: draft.text,
    onInput: ({ currentTarget }) => sessionStorage.setItem(draft.key, currentTarget.value),
  };
}

export function TextArea({ className, ...props }: ComponentProps<"textarea">) {
  return (
    <textarea {...useDraft(props.name)} {...props} className={clsx(INPUT, "py-2 text-body", className)} />
  );
}

/** The error of a field by its name, in the form that surrounds the fields. */
export const FieldErrors = createContext<(name: string) => string | undefined>(() => undefined);

/** `problem` is null when the fields show it. `sent` is called with each form that is sent. */
export function useFormProblem(error: unknown) {
  const [names, setNames] = useState<string[]>([]);
  const problem = error ? problemOf(error) : null;
  const isOfFields = problem?.errors?.every(({ pointer }) => names.includes(pointer.split("/")[1] ?? ""));
  return {
    problem: isOfFields ? null : problem,
    errorOf: (name: string) => fieldError(problem, name),
    sent: ({ elements }: HTMLFormElement) =>
      setNames([...elements].map((element) => (element as HTMLInputElement).name).filter(Boolean)),
  };
}

interface FieldProps {
  label: string;
  /** Also finds its error. */
  name?: string;
  hint?: ReactNode;
  error?: string;
  children: (control: {
    id: string;
    "aria-invalid": boolean;
    "aria-describedby": string | undefined;
  }) => ReactNode;
}

export function Field({ label, name = "", hint, error: given, children }: FieldProps) {
  const id = useId();
  // The form's own check is newer than the server's.
  const error = given ?? use(FieldErrors)(name);
  const noteId = `${id}-note`;
  const note = error ?? hint;
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-medium text-label">
        {label}
      </label>
      {children({ id, "aria-invalid": Boolean(error), "aria-describedby": note ? noteId : undefined })}
      {note && (
        <p id={noteId} className={clsx("text-label", error ? "text-danger" : "text-muted")}>
          {note}
        </p>
      )}
    </div>
  );
}

type TextFieldProps = ComponentProps<typeof Input> & Omit<FieldProps, "children">;

export function TextField({ label, hint, error, ...input }: TextFieldProps) {
  return (
    <Field label={label} name={input.name} hint={hint} error={error}>
      {(control) => <Input autoComplete="off" {...input} {...control} />}
    </Field>
  );
}

export const textOf = (form: FormData, name: string) => String(form.get(name) ?? "").trim();

interface ChoicesProps {
  legend: string;
  name: string;
  /** By default radio buttons. */
  kind?: "radio" | "checkbox";
  options: readonly { value: string; label: ReactNode; hint?: ReactNode }[];
  /** At first, or always with `onChoose`. */
  chosen: readonly string[];
  inline?: boolean;
  error?: string | undefined;
  onChoose?: (value: string) => void;
}

export function Choices(props: ChoicesProps) {
  const { legend, name, kind = "radio", options, chosen, inline, error: given, onChoose } = props;
  const error = given ?? use(FieldErrors)(name);
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1.5 font-medium text-label">{legend}</legend>
      <div className={inline ? "flex flex-wrap gap-2" : "flex flex-col gap-2"}>
        {options.map(({ value, label, hint }) => (
          <label
            key={value}
            className={clsx(
              "field flex cursor-pointer items-start gap-2.5 py-1.5 text-table",
              "has-checked:border-accent has-checked:bg-selected",
            )}
          >
            <input
              type={kind}
              name={name}
              value={value}
              checked={onChoose && chosen.includes(value)}
              defaultChecked={onChoose ? undefined : chosen.includes(value)}
              onChange={onChoose && (() => onChoose(value))}
              className="mt-[3px] size-3.5 shrink-0 accent-accent"
            />
            <span className="flex min-w-0 flex-col">
              <span className="font-medium">{label}</span>
              {hint && <span className="hint">{hint}</span>}
            </span>
          </label>
        ))}
      </div>
      {error && (
        <p role="alert" className="text-danger text-label">
          {error}
        </p>
      )}
    </fieldset>
  );
}

export const CheckBox = ({ children, ...input }: ComponentProps<"input">) => (
  <label className="flex min-h-6 items-center gap-2 self-start text-table">
    <input {...input} type="checkbox" className="size-4 accent-accent" />
    {children}
  </label>
);

/** Native, for keyboard access, type-ahead and the phone's own picker. */
export function NativeSelect({ className, ...props }: ComponentProps<"select">) {
  return (
    <span className={clsx("relative block", className)}>
      <select {...props} className={clsx(INPUT, "h-9 appearance-none truncate pr-8 text-body")} />
      <ChevronDown size={14} className="pointer-events-none absolute top-[11px] right-2.5 text-muted" />
    </span>
  );
}

/** Ctrl+Enter or ⌘+Enter submits the form of the focused field, unless its button is disabled. */
export function submitOnKeys(event: ReactKeyboardEvent): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
  const target = event.target as Element;
  if (target.closest("button, a")) return;
  const button = target.closest("form")?.querySelector<HTMLButtonElement>("button[type=submit]");
  if (!button) return;
  event.preventDefault();
  button.click();
}
