import { initTRPC, TRPCError } from "@trpc/server";
import type { OpenApiMeta } from "trpc-to-openapi";
import { enterWorkerOf } from "../distribution/silent-workers";
import { toDomainError } from "../kernel/to-domain-error";
import { type RequestContext, STAFF_ROLES, type StaffRole } from "../kernel/trpc-context";
import { DomainError, type Problem, toProblem } from "../kernel/values/problems";
import type { TokenScope } from "./access-token";
import { admitCaller, authorizeContract } from "./authorize-contract";
import { countRequest } from "./rate-limit";

const trpc = initTRPC
  .context<RequestContext>()
  .meta<OpenApiMeta>()
  .create({
    errorFormatter({ shape, error, ctx }) {
      const problem: Problem = toProblem(toDomainError(error), ctx?.requestId ?? "");
      return {
        ...shape,
        message: problem.detail,
        data: { code: shape.data.code, httpStatus: problem.status, problem },
      };
    },
  });

export const { router, createCallerFactory } = trpc;

/** For a contract's token with a scope: the `contractAddress` of the input must be the token's own. */
export function contractProcedure(scope: TokenScope) {
  return trpc.procedure.use(async ({ ctx, signal, getRawInput, next }) => {
    const caller = await admitCaller(ctx);
    const input = (await getRawInput()) as { contractAddress?: unknown } | undefined;
    await authorizeContract(ctx.db, caller, input?.contractAddress, scope);
    // Already answered: the connection is for those who still wait.
    signal?.throwIfAborted();
    const leave = await enterWorkerOf(ctx.db, caller.contractKey);
    const result = await next({ ctx: { ...ctx, actor: caller.actor } });
    leave(result.ok ? undefined : result.error);
    return result;
  });
}

/** For anyone who wants a token: so many requests a minute from one client address. */
export const signInProcedure = trpc.procedure.use(async ({ ctx, next }) => {
  await countRequest(ctx, "sign-in", ctx.clientAddress);
  return next();
});

/** For anyone, signed in or not: the verb must bound what it lets strangers do. */
export const publicProcedure = trpc.procedure;

/** For staff of at least a role; the staff row was read for this request. */
export function staffProcedure(least: StaffRole) {
  return trpc.procedure.use(async ({ ctx, next }) => {
    const { staff } = ctx;
    if (!staff)
      throw new TRPCError({
        code: "UNAUTHORIZED",
        cause: new DomainError("missing_token", "Sign in first."),
      });
    if (STAFF_ROLES.indexOf(staff.role) < STAFF_ROLES.indexOf(least)) {
      throw new DomainError("not_allowed", `This needs the role ${least}; yours is ${staff.role}.`);
    }
    return next({ ctx: { ...ctx, staff, actor: `staff:${staff.email}` } });
  });
}
