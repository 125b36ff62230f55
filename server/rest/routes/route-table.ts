import type { AnyRouter } from "@trpc/server";
import type { OpenApiMeta } from "trpc-to-openapi";
import { z } from "zod";
import type { OperationMeta, Repeats } from "@/server/auth/procedures";
import type { RequestContext } from "@/server/kernel/context";
import { callerWaitMs } from "@/server/kernel/database";
import { inTime } from "@/server/kernel/in-time";

type Endpoint = NonNullable<OpenApiMeta["openapi"]>;

export interface Operation {
  /** Calls the procedure. Not tRPC's `callTRPCProcedure`, which looks it up again. */
  call(ctx: RequestContext, getRawInput: () => Promise<unknown>): Promise<unknown>;
  input: z.ZodObject | undefined;
  isOpen: boolean;
  repeats: Repeats;
  takesBody: boolean;
  queryFields: ReadonlySet<string>;
  headerFields: ReadonlySet<string>;
  /** Zod's type of each field: a query has only text. A `pipe` has a parameter per key: `metadata[a]=b`. */
  types: ReadonlyMap<string, string>;
}

/** The pattern has a named group per parameter. */
type Route = { template: string; pattern: RegExp; operations: Map<string, Operation> };

export interface Match extends Omit<Route, "pattern"> {
  /** Still percent-encoded. */
  parameters: Record<string, string>;
}

type ProcedureDefinition = { meta?: OperationMeta; type: "query" | "mutation"; inputs: unknown[] };
/** What tRPC's own adapters call. */
type Procedure = { _def: ProcedureDefinition } & ((options: {
  path: string;
  type: string;
  ctx: RequestContext;
  getRawInput: () => Promise<unknown>;
}) => Promise<unknown>);

export class RouteTable {
  readonly #routes = new Map<string, Route>();

  constructor(router: AnyRouter) {
    const procedures = router._def.procedures as unknown as Record<string, Procedure>;
    for (const [path, procedure] of Object.entries(procedures)) {
      const definition = procedure._def;
      const { type } = definition;
      const openapi = definition.meta?.openapi;
      if (!openapi) continue;
      const input = definition.inputs[0] as z.ZodObject | undefined;
      const operation: Operation = {
        call: (ctx, getRawInput) =>
          type === "query"
            ? procedure({ path, type, ctx, getRawInput })
            : inTime(ctx, callerWaitMs(), (on) =>
                procedure({ path, type, ctx: { ...ctx, ...on }, getRawInput }),
              ),
        input,
        isOpen: openapi.protect === false,
        // Unknown means: it is not.
        repeats: definition.meta?.repeats ?? [],
        ...placesOf(openapi, input),
        types: typesOf(input),
      };
      this.#route(openapi.path).operations.set(openapi.method, operation);
    }
  }

  /** Matches a raw, percent-encoded path. */
  match(path: string): Match | null {
    for (const { pattern, template, operations } of this.#routes.values()) {
      const found = pattern.exec(path);
      if (found) return { template, operations, parameters: { ...found.groups } };
    }
    return null;
  }

  #route(template: string): Route {
    const source = template.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)");
    const route = this.#routes.get(template) ?? {
      template,
      pattern: new RegExp(`^${source}$`),
      operations: new Map<string, Operation>(),
    };
    this.#routes.set(template, route);
    return route;
  }
}

/** Whether sending the same request again does nothing that the first one may have done. */
export const isSafeToRepeat = (
  { repeats }: Pick<Operation, "repeats">,
  input: Record<string, unknown> = {},
): boolean => repeats === "always" || repeats.some((field) => Boolean(input[field]));

/** What is not in the path goes into the query, or where `param` in its meta says; otherwise into a body. */
function placesOf({ method, path }: Endpoint, input: z.ZodObject | undefined) {
  const hasBody = method !== "GET" && method !== "DELETE";
  const fields = Object.entries(input?.shape ?? {}).filter(([name]) => !path.includes(`{${name}}`));
  const sentIn = (place: string) =>
    new Set(fields.filter(([, field]) => placeOf(field, hasBody) === place).map(([name]) => name));
  return {
    takesBody: sentIn("body").size > 0,
    queryFields: sentIn("query"),
    headerFields: sentIn("header"),
  };
}

const placeOf = (field: unknown, hasBody: boolean): string =>
  (field as z.ZodType).meta()?.param?.in ?? (hasBody ? "body" : "query");

function typesOf(input: z.ZodObject | undefined): Map<string, string> {
  const types = Object.entries(input?.shape ?? {}).map(([name, field]): [string, string] => {
    let inner = field as z.ZodType;
    while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable)
      inner = inner.unwrap() as z.ZodType;
    return [name, inner.type];
  });
  return new Map(types);
}
