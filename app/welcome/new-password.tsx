import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from "@/server/auth/password-rules";
import { Field, Input } from "../ui/field";

type Fault = { field: "password" | "repeated"; words: string } | null;

/** What is wrong with a password that was just chosen. */
export function newPasswordFault(form: FormData): Fault {
  const password = String(form.get("password") ?? "");
  if (password.length < PASSWORD_LENGTH_MIN || password.length > PASSWORD_LENGTH_MAX) {
    return {
      field: "password",
      words: `A password has ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters.`,
    };
  }
  return password === form.get("repeated") ? null : { field: "repeated", words: "This is not the same." };
}

/** A new password, twice. */
export function NewPassword({ fault }: { fault: Fault }) {
  const faultOf = (field: "password" | "repeated") => (fault?.field === field ? fault.words : undefined);
  return (
    <>
      <Field
        label="New password"
        hint={`At least ${PASSWORD_LENGTH_MIN} characters; a sentence is easy to keep in mind.`}
        error={faultOf("password")}
      >
        {(control) => <Input {...control} name="password" type="password" autoComplete="new-password" />}
      </Field>
      <Field label="The same again" error={faultOf("repeated")}>
        {(control) => <Input {...control} name="repeated" type="password" autoComplete="new-password" />}
      </Field>
    </>
  );
}
