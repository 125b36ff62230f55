import { z } from "zod";
import { TimestampField, textField } from "@/server/kernel/values/fields";
import { AUDIT_ACTIONS } from "./actions";

export const AUDIT_PAGE_ROWS_MAX = 200;
const TextField = textField(1, 320);

/** The filters of the audit log, all ANDed. The console keeps them in the URL. */
export const AuditFilters = z.strictObject({
  /** `ops`, `staff:<email>`, …; a plain email means that team member. */
  actor: TextField.optional(),
  actions: z.array(z.enum(AUDIT_ACTIONS)).max(AUDIT_ACTIONS.length).optional(),
  /** Part of the target, such as an address, a batch ID or an email. */
  target: TextField.optional(),
  requestId: TextField.optional(),
  after: TimestampField.optional(),
  before: TimestampField.optional(),
});
export type AuditFilters = z.output<typeof AuditFilters>;

export const AuditListInput = AuditFilters.extend({
  limit: z.int().min(1).max(AUDIT_PAGE_ROWS_MAX).optional(),
  cursor: z
    .string()
    .regex(/^[1-9]\d{0,17}$/)
    .nullish(),
});
export type AuditListInput = z.output<typeof AuditListInput>;

export interface AuditEntry {
  id: string;
  at: string;
  /** `staff:<email>`, `ops`, `first-run`, `finalizer`. */
  actor: string;
  action: string;
  /** `batch:<contract>/<id>`, `contract:<address>`, `staff:<email>`, … */
  target: string;
  detail: Record<string, string | number | boolean | null>;
  requestId: string | null;
}

export type AuditPage = { entries: AuditEntry[]; cursor: string | null };
