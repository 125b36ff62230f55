import { publicProcedure, router, staffChange, staffProcedure } from "@/server/auth/procedures";
import { publicOrigin, settings } from "@/server/kernel/settings";
import { urlHint, webhookRules } from "@/server/webhooks/address-rules";
import { acceptInvitation, handOver, invitePerson, openInvitation, renewLink, requestReset } from "./links";
import { changeOwnPassword, endAllOwnSessions, endOwnSession, listOwnSessions } from "./own-account";
import { changeRole, confirmAccess, disablePerson, enablePerson, listStaff } from "./people";
import {
  AcceptInvitationInput,
  ChangeOwnPasswordInput,
  ChangeRoleInput,
  InviteInput,
  OpenInvitationInput,
  PersonInput,
  RequestResetInput,
  SessionInput,
} from "./schema";

export const consoleStaffRouter = router({
  list: staffProcedure("viewer").query(({ ctx }) => listStaff(ctx)),
  invite: staffChange(
    "admin",
    InviteInput,
    async (ctx, input) => handOver(ctx, "invitation", await invitePerson(ctx, input)),
    "long",
  ),
  newLink: staffChange(
    "admin",
    PersonInput,
    async (ctx, input) => handOver(ctx, "password", await renewLink(ctx, input)),
    "long",
  ),
  confirm: staffChange("admin", PersonInput, confirmAccess),
  changeRole: staffChange("admin", ChangeRoleInput, changeRole),
  disable: staffChange("admin", PersonInput, disablePerson),
  enable: staffChange("admin", PersonInput, enablePerson),
  changeOwnPassword: staffChange("viewer", ChangeOwnPasswordInput, changeOwnPassword),
  sessions: staffProcedure("viewer").query(({ ctx }) => listOwnSessions(ctx)),
  endSession: staffChange("viewer", SessionInput, endOwnSession),
  endAllSessions: staffProcedure("viewer").mutation(({ ctx }) => endAllOwnSessions(ctx)),
  requestReset: publicProcedure
    .input(RequestResetInput)
    .mutation(({ ctx, input }) => requestReset(ctx, input)),
  openInvitation: publicProcedure
    .input(OpenInvitationInput)
    .mutation(({ ctx, input }) => openInvitation(ctx, input.token)),
  acceptInvitation: publicProcedure
    .input(AcceptInvitationInput)
    .mutation(({ ctx, input }) => acceptInvitation(ctx, input)),
});

export const sessionRouter = router({
  me: staffProcedure("viewer").query(({ ctx: { staff } }) => ({ email: staff.email, role: staff.role })),
  service: staffProcedure("viewer").query(({ ctx }) => ({
    isDevelopment: process.env.NODE_ENV === "development",
    publicUrl: publicOrigin(),
    walletPages: settings().PUBLIC_RECEIPTS,
    limits: ctx.limits,
    webhookUrls: urlHint(webhookRules()),
  })),
});
