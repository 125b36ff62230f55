/** A JSON Schema of the document; only the keywords that the document uses are read. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  pattern?: string;
  format?: string;
  uniqueItems?: boolean;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  [limit: string]: unknown;
}

/** `request`: what callers send must stay accepted. `response`: what they receive must stay within what they knew. */
export type Direction = "request" | "response";
export type Resolve = (schema: Schema) => Schema;
export interface Side {
  schema: Schema | undefined;
  resolve: Resolve;
}

const LEAST = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
const MOST = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];
const DEPTH_MAX = 12;

/** What of a schema's change breaks callers, one sentence each. */
export function schemaBreaks(before: Side, after: Side, direction: Direction, at: string): string[] {
  const [sent, accepted] = direction === "request" ? [before, after] : [after, before];
  return notWithin(sent, accepted, direction, at, 0);
}

/** Why values of `sent` are not all values of `accepted`. */
function notWithin(sent: Side, accepted: Side, direction: Direction, at: string, depth: number): string[] {
  if (depth > DEPTH_MAX || !accepted.schema) return [];
  if (!sent.schema) return [`${at}: any value instead of a described one`];
  const choices = alternatives(accepted);
  return alternatives(sent).flatMap((one) => {
    const attempts = choices.map((choice) =>
      oneNotWithin(
        { ...sent, schema: one },
        { ...accepted, schema: choice },
        direction,
        at,
        depth,
        choices.length === 1,
      ),
    );
    return attempts.reduce((best, each) => (each.length < best.length ? each : best));
  });
}

/** The schema itself, or what `anyOf` and `oneOf` offer; `allOf` is one object. */
function alternatives({ schema, resolve }: Side): Schema[] {
  const whole = resolve(schema!);
  const choices = whole.anyOf ?? whole.oneOf;
  if (choices) return choices.flatMap((choice) => alternatives({ schema: choice, resolve }));
  if (!whole.allOf) return [whole];
  const parts = whole.allOf.map(resolve);
  return [
    {
      ...whole,
      ...Object.assign({}, ...parts),
      properties: Object.assign({}, whole.properties, ...parts.map((part) => part.properties)),
      required: [whole, ...parts].flatMap((part) => part.required ?? []),
    },
  ];
}

function oneNotWithin(
  sent: Side,
  accepted: Side,
  direction: Direction,
  at: string,
  depth: number,
  isOnlyChoice: boolean,
): string[] {
  const a = sent.schema!;
  const b = accepted.schema!;
  const faults = [...typeFaults(a, b, at), ...valueFaults(a, b, direction, at), ...limitFaults(a, b, at)];
  if (faults.length > 0 && !isOnlyChoice) return faults;
  const deeper = (from: Schema | undefined, to: Schema | undefined, below: string) =>
    notWithin({ ...sent, schema: from }, { ...accepted, schema: to }, direction, below, depth + 1);
  if (b.items) faults.push(...deeper(a.items, b.items, `${at}[]`));
  if (typeof b.additionalProperties === "object" && typeof a.additionalProperties === "object") {
    faults.push(...deeper(a.additionalProperties, b.additionalProperties, `${at}{}`));
  }
  for (const name of Object.keys(a.properties ?? {}).filter((each) => b.properties?.[each])) {
    faults.push(...deeper(a.properties![name], b.properties![name], `${at}.${name}`));
  }
  return [...faults, ...fieldFaults(a, b, direction, at)];
}

function typeFaults(a: Schema, b: Schema, at: string): string[] {
  const accepted = typesOf(b);
  if (accepted.length === 0) return [];
  const sent = typesOf(a);
  const isAccepted = (type: string) =>
    accepted.includes(type) || (type === "integer" && accepted.includes("number"));
  return sent.length > 0 && sent.every(isAccepted)
    ? []
    : [`${at}: type ${sent.join(" or ") || "any"} instead of ${accepted.join(" or ")}`];
}

function typesOf({ type }: Schema): string[] {
  return type === undefined ? [] : Array.isArray(type) ? type : [type];
}

function valueFaults(a: Schema, b: Schema, direction: Direction, at: string): string[] {
  const sent = valuesOf(a);
  const accepted = valuesOf(b);
  if (!accepted) return [];
  if (!sent) return [`${at}: any value instead of ${accepted.join(", ")}`];
  const known = new Set(accepted);
  const word = direction === "request" ? "is no longer accepted" : "is new to callers";
  return sent.filter((value) => !known.has(value)).map((value) => `${at}: the value ${value} ${word}`);
}

function valuesOf(schema: Schema): string[] | undefined {
  if ("const" in schema) return [JSON.stringify(schema.const)];
  return schema.enum?.map((value) => JSON.stringify(value));
}

function limitFaults(a: Schema, b: Schema, at: string): string[] {
  const faults: string[] = [];
  const compare = (name: string, isWithin: (sent: number, accepted: number) => boolean) => {
    const accepted = b[name] as number | undefined;
    const sent = a[name] as number | undefined;
    if (accepted === undefined || valuesOf(a)) return;
    if (sent === undefined || !isWithin(sent, accepted)) {
      faults.push(`${at}: ${name} ${sent ?? "none"} does not fit ${accepted}`);
    }
  };
  for (const name of LEAST) compare(name, (sent, accepted) => sent >= accepted);
  for (const name of MOST) compare(name, (sent, accepted) => sent <= accepted);
  compare("multipleOf", (sent, accepted) => sent % accepted === 0);
  for (const name of ["pattern", "format", "uniqueItems"] as const) {
    if (b[name] && a[name] !== b[name] && !valuesOf(a)) {
      faults.push(`${at}: ${name} ${a[name] ?? "none"} instead of ${b[name]}`);
    }
  }
  return faults;
}

/** New fields of a reply break nobody: callers skip what they do not know. */
function fieldFaults(a: Schema, b: Schema, direction: Direction, at: string): string[] {
  const [before, after] = direction === "request" ? [a, b] : [b, a];
  const gone = Object.keys(before.properties ?? {}).filter((name) => !after.properties?.[name]);
  const loose = (b.required ?? []).filter((name) => !a.required?.includes(name) && !gone.includes(name));
  const word = direction === "request" ? "is required now" : "may be missing now";
  const isStricter =
    direction === "request" && a.additionalProperties !== false && b.additionalProperties === false;
  return [
    ...(isStricter ? [`${at}: further fields are refused now`] : []),
    ...gone.map((name) => `${at}.${name}: the field was removed`),
    ...loose.map((name) => `${at}.${name}: the field ${word}`),
  ];
}
