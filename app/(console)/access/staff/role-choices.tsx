import { STAFF_ROLES, type StaffRole } from "@/server/kernel/trpc-context";
import { ROLES } from "./roles";

export function RoleChoices({ initial }: { initial: StaffRole }) {
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 font-medium text-label">Role</legend>
      {STAFF_ROLES.map((role) => (
        <label
          key={role}
          className="flex cursor-pointer items-start gap-2.5 rounded-control border border-line px-3 py-2 has-checked:border-accent has-checked:bg-selected hover:bg-hover"
        >
          <input
            type="radio"
            name="role"
            value={role}
            defaultChecked={role === initial}
            className="mt-1 accent-(--accent)"
          />
          <span className="flex flex-col">
            <span className="font-medium text-table">{ROLES[role].label}</span>
            <span className="text-label text-muted">{ROLES[role].can}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

export function roleOf(form: FormData): StaffRole {
  const given = form.get("role");
  return STAFF_ROLES.find((role) => role === given) ?? "viewer";
}
