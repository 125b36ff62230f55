import type { AnyRouter } from "@trpc/server";
import type { OpenApiMeta } from "trpc-to-openapi";
import { z } from "zod";
import type { RequestContext } from "@/server/kernel/context";

type Endpoint = NonNullable<OpenApiMeta["openapi"]>;

export interface Operation {
  /** Calls the procedure. Not tRPC's `callTRPCProcedure`, which looks it up again. */
  call(ctx: RequestContext, getRawInput: () => Promise<unknown>): Promise<unknown>;
  input: z.ZodObject | undefined;
  isOpen: boolean;
  takesBody: boolean;
  queryFields: ReadonlySet<string>;
  headerFields: ReadonlySet<string>;
  /** Names of numeric (or boolean) input fields, which the query has as text. */
  numberFields: ReadonlySet<string>;
  booleanFields: ReadonlySet<string>;
  /** Objects, which the query has as a parameter for each key: `metadata[campaign]=summer`. */
  objectFields: ReadonlySet<string>;
}

type Route = { template: string; pattern: RegExp; parameters: string[]; operations: Map<string, Operation> };

export interface Match {
  template: string;
  operations: ReadonlyMap<string, Operation>;
  /** Still percent-encoded. */
  parameters: Record<string, string>;
}

type ProcedureDefinition = { meta?: OpenApiMeta; type: "query" | "mutation"; inputs: unknown[] };
/** What tRPC's own adapters call. */
type Procedure = { _def: ProcedureDefinition } & ((options: {
  path: string;
  type: string;
  ctx: RequestContext;
  getRawInput: () => Promise<unknown>;
}) => Promise<unknown>);

/** The routes of a router, from the `meta.openapi` of its procedures. */
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
        call: (ctx, getRawInput) => procedure({ path, type, ctx, getRawInput }),
        input,
        isOpen: openapi.protect === false,
        ...placesOf(openapi, input),
        numberFields: fieldsOfType(input, z.ZodNumber),
        booleanFields: fieldsOfType(input, z.ZodBoolean),
        objectFields: fieldsOfType(input, z.ZodPipe),
      };
      this.#route(openapi.path).operations.set(openapi.method, operation);
    }
  }

  /** Matches a raw, percent-encoded path. */
  match(path: string): Match | null {
    for (const { template, pattern, parameters, operations } of this.#routes.values()) {
      const found = pattern.exec(path);
      if (found)
        return {
          template,
          operations,
          parameters: Object.fromEntries(parameters.map((name, i) => [name, found[i + 1]!])),
        };
    }
    return null;
  }

  #route(path: string): Route {
    const known = this.#routes.get(path);
    if (known) return known;
    const parameters: string[] = [];
    const source = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      parameters.push(name);
      return "([^/]+)";
    });
    const route: Route = {
      template: path,
      pattern: new RegExp(`^${source}$`),
      parameters,
      operations: new Map(),
    };
    this.#routes.set(path, route);
    return route;
  }
}

/** Fields that are not in the path are sent in the query, or where `param` in their meta says; others in a body, if there is one. */
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

function fieldsOfType(
  input: z.ZodObject | undefined,
  type: typeof z.ZodNumber | typeof z.ZodBoolean | typeof z.ZodPipe,
): ReadonlySet<string> {
  const names = Object.entries(input?.shape ?? {})
    .filter(([, field]) => {
      let inner = field as z.core.$ZodType;
      while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable) inner = inner.unwrap();
      return inner instanceof type;
    })
    .map(([name]) => name);
  return new Set(names);
}
