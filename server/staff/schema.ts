import { z } from "zod";
import {
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
  STAFF_ROLES,
  type StaffRole,
} from "@/server/kernel/context";
import { rule } from "@/terms/fields";

/** Maximum length of an email address (RFC 5321: 64 before the @, 255 after it). */
const EMAIL_LENGTH_MAX = 320;
const TOKEN_LENGTH_MAX = 200;

const EmailField = z
  .string()
  .trim()
  .toLowerCase()
  .max(EMAIL_LENGTH_MAX)
  .refine(
    (value) => z.email().safeParse(value).success,
    rule("invalid_value", "must be an email address such as name@example.com"),
  );
const PasswordField = z.string().min(PASSWORD_LENGTH_MIN).max(PASSWORD_LENGTH_MAX);
const RoleField = z.enum(STAFF_ROLES);
const TokenField = z.string().min(1).max(TOKEN_LENGTH_MAX);

export const InviteInput = z.strictObject({ email: EmailField, role: RoleField });
export type InviteInput = z.output<typeof InviteInput>;

export const PersonInput = z.strictObject({ personId: z.uuid() });
export type PersonInput = z.output<typeof PersonInput>;

export const ChangeRoleInput = PersonInput.extend({ role: RoleField });
export type ChangeRoleInput = z.output<typeof ChangeRoleInput>;

export const ChangeOwnPasswordInput = z.strictObject({
  oldPassword: z.string().min(1).max(PASSWORD_LENGTH_MAX),
  newPassword: PasswordField,
});
export type ChangeOwnPasswordInput = z.output<typeof ChangeOwnPasswordInput>;

export const SessionInput = z.strictObject({ sessionId: z.uuid() });
export type SessionInput = z.output<typeof SessionInput>;

export const OpenInvitationInput = z.strictObject({ token: TokenField });
export const AcceptInvitationInput = z.strictObject({ token: TokenField, password: PasswordField });
export type AcceptInvitationInput = z.output<typeof AcceptInvitationInput>;

export const RequestResetInput = z.strictObject({ email: EmailField });
export type RequestResetInput = z.output<typeof RequestResetInput>;

/** A new link. Its token is not stored. */
export type NewLink = { personId: string; email: string; token: string; expiresAt: string };

/** One of the user's own sessions. Times are RFC 3339. */
export interface OwnSession {
  id: string;
  device: string;
  signedInAt: string;
  /** Up to a few minutes old. */
  lastUsedAt: string;
  isCurrent: boolean;
}

export type OpenInvitation = { email: string; role: StaffRole; expiresAt: string };

/** A team member in the console. Times are RFC 3339. */
export interface StaffPerson {
  id: string;
  email: string;
  role: StaffRole;
  /** `invited`: has never set a password or signed in. */
  state: "active" | "invited" | "disabled";
  /** The admins who gave this access under an approval rule; empty once another one has confirmed it. */
  unconfirmedBy: string[];
  linkExpiresAt: string | null;
  createdAt: string;
  lastSignInAt: string | null;
}
