import { Ban, KeyRound, type LucideIcon, RotateCcw, UserCheck, UserCog } from "lucide-react";
import type { ReactElement } from "react";
import { ROLES } from "@/app/(console)/access/access-head";
import { useStaff } from "@/app/(console)/staff";
import { useChange, useTRPC } from "@/app/data/trpc";
import { Button } from "@/app/ui/button";
import { CodeBlock } from "@/app/ui/code-block";
import { Dialog, MutationDialog } from "@/app/ui/dialogs";
import { Choices, TextField, textOf } from "@/app/ui/fields";
import { Menu, MenuItem } from "@/app/ui/menu";
import { Instant } from "@/app/ui/time";
import { STAFF_ROLES, type StaffRole } from "@/server/kernel/context";
import type { SentOutcome } from "@/server/mail/send-mail";
import type { StaffPerson } from "@/server/staff/schema";

export interface StaffMenuProps {
  person: StaffPerson;
  openDialog: (dialog: StaffDialog) => void;
}

export function StaffMenuPanel(props: StaffMenuProps & { trigger: ReactElement }) {
  const { trigger, person, openDialog } = props;
  const { email: ownEmail } = useStaff();
  // Who gave the access cannot confirm it, and nobody confirms their own.
  const mayConfirm =
    person.unconfirmedBy.length > 0 && ![person.email, ...person.unconfirmedBy].includes(ownEmail);
  const isDisabled = person.state === "disabled";
  const item = (kind: Exclude<StaffDialog["kind"], "invite">, icon: LucideIcon, label: string) => (
    <MenuItem icon={icon} danger={kind === "disable"} onClick={() => openDialog({ kind, person })}>
      {label}
    </MenuItem>
  );
  return (
    <Menu trigger={trigger}>
      {mayConfirm && item("confirm", UserCheck, "Confirm access…")}
      {item("role", UserCog, "Change role…")}
      {isDisabled || item("link", KeyRound, "Create password link…")}
      {isDisabled ? item("enable", RotateCcw, "Enable…") : item("disable", Ban, "Disable…")}
    </Menu>
  );
}

export type StaffDialog =
  | { kind: "invite" }
  | { kind: "confirm" | "role" | "link" | "disable" | "enable"; person: StaffPerson };

export default function StaffDialogs({ dialog, close }: { dialog: StaffDialog; close: () => void }) {
  const { email: ownEmail } = useStaff();
  if (dialog.kind === "invite") return <InviteDialog close={close} />;
  const about = { person: dialog.person, own: dialog.person.email === ownEmail, close };
  if (dialog.kind === "role") return <RoleDialog {...about} />;
  if (dialog.kind === "link") return <LinkDialog {...about} />;
  return <AccessDialog {...about} kind={dialog.kind} />;
}

function InviteDialog({ close }: { close: () => void }) {
  const refresh = useStaffChange()();
  return (
    <MutationDialog
      options={useTRPC().console.staff.invite.mutationOptions(refresh)}
      close={close}
      title="Invite a team member"
      description="They get a link to set a password. It is sent to them if this service sends email, and
        otherwise shown to you. Once an approval rule is in force, another admin must confirm the access of
        operators and admins before they can approve anything."
      submit="Create invitation"
      inputOf={(form) => ({ email: textOf(form, "email"), role: roleOf(form) })}
      result={(link) => <NewLink title="Invitation created" link={link} close={close} />}
    >
      <TextField label="Email" name="email" type="email" spellCheck={false} autoFocus />
      <RoleChoices initial="viewer" />
    </MutationDialog>
  );
}

interface AboutPerson {
  person: StaffPerson;
  own: boolean;
  close: () => void;
}

function AccessDialog(props: AboutPerson & { kind: "confirm" | "disable" | "enable" }) {
  const { kind, person, own, close } = props;
  const { email, role, unconfirmedBy } = person;
  const { done, ...texts } = {
    confirm: {
      done: `Access of ${email} confirmed`,
      title: `Confirm the access of ${email}?`,
      description:
        `${unconfirmedBy.join(" and ")} gave this access. Ask the person, not over a channel ` +
        `that ${unconfirmedBy.length > 1 ? "they" : "this admin"} could answer, whether they hold this ` +
        `account as ${role} and nobody else knows the password. Once confirmed, it can approve and reject.`,
      submit: "Confirm access",
    },
    disable: {
      done: `${email} disabled`,
      title: own ? "Disable your own account?" : `Disable ${email}?`,
      description: own
        ? "You are signed out immediately and cannot sign in until another admin enables your account."
        : "They are signed out immediately, their links stop working, and they cannot sign in until an " +
          "admin enables them. Their audit log entries are kept.",
      submit: "Disable",
      danger: true,
    },
    enable: {
      done: `${email} enabled`,
      title: `Enable ${email}?`,
      description:
        `They can sign in again as ${role} with their current password. ` +
        "If they never set one, create a password link for them.",
      submit: "Enable",
    },
  }[kind];
  const changed = useStaffChange(close);
  return (
    <MutationDialog
      {...texts}
      options={useTRPC().console.staff[kind].mutationOptions(changed(done))}
      close={close}
      inputOf={() => ({ personId: person.id })}
    />
  );
}

function RoleDialog({ person, own, close }: AboutPerson) {
  const changed = useStaffChange(close);
  return (
    <MutationDialog
      options={useTRPC().console.staff.changeRole.mutationOptions(
        changed(({ role }: { role: StaffRole }) => `${person.email} now has the ${role} role`),
      )}
      close={close}
      title="Change role"
      description={
        own
          ? "Changing your role signs you out. Sign in again to continue."
          : `Changing the role signs ${person.email} out. They can sign in again right away.`
      }
      inputOf={(form) => ({ personId: person.id, role: roleOf(form) })}
    >
      <RoleChoices initial={person.role} />
    </MutationDialog>
  );
}

function LinkDialog({ person, close }: AboutPerson) {
  const refresh = useStaffChange()();
  return (
    <MutationDialog
      options={useTRPC().console.staff.newLink.mutationOptions(refresh)}
      close={close}
      title="Create a password link?"
      description={
        `${person.email} can use it to set a new password, which signs them out everywhere. ` +
        `${person.state === "invited" ? "" : "Their current password works until then. "}` +
        "Earlier links stop working now."
      }
      submit="Create link"
      inputOf={() => ({ personId: person.id })}
      result={(link) => <NewLink title="Password link created" link={link} close={close} />}
    />
  );
}

const RoleChoices = ({ initial }: { initial: StaffRole }) => (
  <Choices
    legend="Role"
    name="role"
    options={STAFF_ROLES.map((role) => ({ value: role, label: ROLES[role].label, hint: ROLES[role].can }))}
    chosen={[initial]}
  />
);

const roleOf = (form: FormData): StaffRole =>
  STAFF_ROLES.find((role) => role === form.get("role")) ?? "viewer";

/** Every change also adds an entry to the audit log. */
function useStaffChange(close?: () => void) {
  const { staff, audit } = useTRPC().console;
  return useChange([staff.list.queryFilter(), audit.list.infiniteQueryFilter()], close);
}

interface NewLinkProps {
  title: string;
  link: { url: string | null; email: string; expiresAt: string; mailed: SentOutcome | null };
  close: () => void;
}

/** The only time that a new link is shown. */
function NewLink({ title, link: { url, email, expiresAt, mailed }, close }: NewLinkProps) {
  const person = <span className="wrap-anywhere font-medium">{email}</span>;
  return (
    <Dialog close={close} title={title} description={null}>
      <div className="mt-4 flex flex-col gap-3">
        <p role="status">
          {mailed?.isSent && <>The link was sent to {person} by email. </>}
          {mailed && !mailed.isSent && (
            <span className="wrap-anywhere text-danger">The email could not be sent: {mailed.answer} </span>
          )}
          {url && mailed?.isSent && "You can also pass it on yourself. "}
          {url && !mailed?.isSent && <>Send this link to {person} over a private channel. </>}
          {!url &&
            !mailed?.isSent &&
            "Under an approval rule, links go by email only. Create another one once the email can be sent. "}
          It works once and expires on <Instant at={expiresAt} className="whitespace-nowrap" />.
          {url && " You will not be able to see it again."}
        </p>
        {url && <CodeBlock code={url} what="link" wraps />}
        <div className="flex justify-end">
          <Button variant="primary" onClick={close}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
