import type { z } from "zod";

/**
 * The schema, parsed at once wherever tRPC parses: it prefers `parseAsync`, in which zod walks every field of every object,
 * while parsed at once it runs a function made for that object. For schemas without a check that waits.
 */
export function atOnce<Schema extends z.ZodType>(schema: Schema): Schema {
  return Object.assign(schema, { parseAsync: schema.parse });
}
