import { initTRPC, TRPCError } from "@trpc/server";
import type { OpenApiMeta } from "trpc-to-openapi";
import type { z } from "zod";
import { onErrand } from "@/db/on-errand";
import { enterWorkerOf } from "@/server/distribution/silent-workers";
import {
  type RequestContext,
  STAFF_ROLES,
  type StaffIdentity,
  type StaffRole,
} from "@/server/kernel/context";
import { callerWaitMs, type Pace } from "@/server/kernel/database";
import { isStatementTimeout } from "@/server/kernel/database-errors";
import { inTime } from "@/server/kernel/in-time";
import { pathNotFound } from "@/server/kernel/problem-reply";
import { queryTimeout, toDomainError, toRepeatableError } from "@/server/kernel/to-domain-error";
import { DomainError, PROBLEMS, type Problem, toProblem } from "@/terms/problems";
import { admitCaller, authorizeContract } from "./authorize-contract";
import { countAnonymousCall, countCall, countFailed, inTurn, overLimit, setRateLimitHeaders } from "./limits";
import { recentAnswer } from "./recent-answer";
import type { TokenScope } from "./tokens";

/** When a request may be sent again although its outcome is unknown: with one of these fields, or always. */
export type Repeats = "always" | readonly string[];

export interface OperationMeta extends OpenApiMeta {
  repeats?: Repeats;
}

const trpc = initTRPC
  .context<RequestContext>()
  .meta<OperationMeta>()
  .create({
    errorFormatter({ shape, error, type, ctx }) {
      const known = type === "query" ? toRepeatableError(error) : toDomainError(error);
      const problem: Problem = toProblem(known, ctx?.requestId ?? "");
      return {
        ...shape,
        message: problem.detail,
        data: { code: shape.data.code, httpStatus: problem.status, problem },
      };
    },
  });

export const { router, createCallerFactory } = trpc;

/**
 * Nothing of the console's mutations takes effect after their callers were answered. The route table does the
 * same for `/v1`.
 */
const procedureOf = (pace: Pace = "quick") =>
  trpc.procedure.use(({ ctx, type, next }) => {
    if (type !== "mutation") return next();
    return inTime(ctx, callerWaitMs(pace), async (on) => {
      const result = await next({ ctx: on });
      if (!result.ok) throw result.error;
      return result;
    });
  });

interface Texts {
  summary: string;
  description: string;
}

/** An operation of `/v1`. Only of a POST must be said when it is safe to repeat. */
type Described =
  | [route: `POST /v1/${string}`, texts: Texts & { repeats: Repeats }]
  | [route: `${"GET" | "PUT" | "DELETE"} /v1/${string}`, texts: Texts & { repeats?: undefined }];

/** Its meta, also for the OpenAPI document. @param protect whether it requires a token */
function metaOf(
  tag: string,
  [route, { repeats = "always", ...texts }]: Described,
  protect: boolean,
): OperationMeta {
  const [method, path] = route.split(" ") as ["GET", "/v1"];
  return { openapi: { method, path, tags: [tag], protect, ...texts }, repeats };
}

/** An operation of `/v1` that requires no token. */
export const inDocument = (tag: string, ...described: Described) => metaOf(tag, described, false);

/** An operation of `/v1` for the contract in the input's `contractAddress`. */
export function contractProcedure(scope: TokenScope, tag: string, ...described: Described) {
  const meta = metaOf(tag, described, true);
  meta.openapi!.description += ` Requires the scope \`${scope}\`.`;
  return trpc.procedure.meta(meta).use(async ({ ctx, getRawInput, next }) => {
    const callerNow = await recentAnswer((isAgain) => admitCaller(ctx, isAgain));
    const input = (await getRawInput()) as { contractAddress?: unknown } | undefined;
    const caller = await callerNow();
    await authorizeContract(ctx.db, caller, input?.contractAddress, scope);
    // The caller already has a reply, so leave the connection to requests that are waiting.
    ctx.requireWanted?.();
    const leave = await enterWorkerOf(ctx.db, caller.contractKey);
    const result = await next({ ctx: { actor: caller.actor, tokenCreatedBy: caller.tokenCreatedBy } });
    leave(result.ok ? undefined : result.error);
    return result;
  });
}

/** Open to anyone. Limited per operation and client IP address, which many clients may share. */
export const signInProcedure = trpc.procedure.use(async ({ ctx, path, next }) => {
  await countAnonymousCall(ctx, "sign-in", `${path}:${ctx.clientAddress}`);
  return next();
});

/** For an attempt that may fail. Over the strict limit of failures, nothing is attempted. */
export const solveProcedure = signInProcedure.use(async ({ ctx, next }) => {
  const over = overLimit(ctx.db, "sign-in-failure", ctx.clientAddress);
  if (over) setRateLimitHeaders("sign-in-failure", over, ctx.replyHeaders);
  const result = await next();
  const isFailure = !result.ok && PROBLEMS[toDomainError(result.error).code].status < 500;
  if (isFailure) await countFailed(ctx, "sign-in-failure", ctx.clientAddress);
  return result;
});

/** Open to anyone while a setting is on. Each operation is limited by client IP address. */
export const openProcedure = (isOn: () => boolean) =>
  trpc.procedure.use(async ({ ctx, path, next }) => {
    if (!isOn()) throw pathNotFound();
    await countAnonymousCall(ctx, "public", `${path}:${ctx.clientAddress}`);
    return next();
  });

/** Open to anyone, signed in or not. The procedure itself must limit what an anonymous caller can do. */
export const publicProcedure = procedureOf();

/** @throws DomainError `missing_token`, `not_allowed` */
function requireRole(staff: StaffIdentity | null, least: StaffRole): StaffIdentity {
  if (!staff)
    throw new TRPCError({
      code: "UNAUTHORIZED",
      cause: new DomainError("missing_token", "Sign in to continue."),
    });
  if (STAFF_ROLES.indexOf(staff.role) < STAFF_ROLES.indexOf(least))
    throw new DomainError("not_allowed", `This requires the role ${least}. Your role is ${staff.role}.`);
  return staff;
}

/**
 * For staff with at least this role. The staff row is read again for every request, and once more when the
 * call's turn comes if that is more than a second later. Calls count against the person's quota. A person's
 * queries run one at a time, and so do their changes, so that neither waits for the other.
 * @param pace `long` and `heavy` calls have a line each, so that lists and cancels never wait for them
 */
export function staffProcedure(least: StaffRole, pace: Pace = "quick") {
  return procedureOf(pace).use(async ({ ctx, type, next }) => {
    const { email } = requireRole(ctx.staff, least);
    countCall(ctx, "console", email);
    const call = async () => {
      const staff = requireRole(ctx.staffNow ? await ctx.staffNow() : ctx.staff, least);
      const db = pace === "heavy" && ctx.heavyDb ? onErrand(ctx.heavyDb, ctx.db.errands ?? []) : ctx.db;
      const result = await next({ ctx: { db, staff, actor: `staff:${staff.email}` } });
      if (type === "query" && !result.ok && isStatementTimeout(result.error))
        throw queryTimeout(result.error);
      return result;
    };
    return inTurn(ctx, `${pace === "quick" ? type : pace} ${email}`, call, pace);
  });
}

type StaffVerb<Schema extends z.ZodType, Reply> = (
  ctx: RequestContext & { staff: StaffIdentity; actor: string },
  input: z.output<Schema>,
) => Reply | Promise<Reply>;

export const staffQuery = <Schema extends z.ZodType, Reply>(
  least: StaffRole,
  schema: Schema,
  verb: StaffVerb<Schema, Reply>,
  pace?: Pace,
) =>
  staffProcedure(least, pace)
    .input(schema)
    .query(({ ctx, input }) => verb(ctx, input as z.output<Schema>));

export const staffChange = <Schema extends z.ZodType, Reply>(
  least: StaffRole,
  schema: Schema,
  verb: StaffVerb<Schema, Reply>,
  pace?: Pace,
) =>
  staffProcedure(least, pace)
    .input(schema)
    .mutation(({ ctx, input }) => verb(ctx, input as z.output<Schema>));
