import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { announcesBreak, breakingChanges, type OpenApi } from "./breaking-changes";

const released = () => ({
  paths: {
    "/things/{id}": {
      parameters: [{ in: "path", name: "id", required: true, schema: { type: "string" } }],
      get: {
        operationId: "getThing",
        security: [{ token: [] }, { session: [] }],
        parameters: [
          { in: "query", name: "limit", schema: { type: "integer", minimum: 1, maximum: 200 } },
          { in: "query", name: "sort", schema: { type: "string", enum: ["ASC", "DESC"] } },
        ],
        responses: {
          "200": {
            headers: { ETag: { schema: { type: "string" } } },
            content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } },
          },
          "404": { $ref: "#/components/responses/Gone" },
        },
      },
      put: {
        operationId: "putThing",
        requestBody: {
          required: false,
          content: { "application/json": { schema: { $ref: "#/components/schemas/Sent" } } },
        },
        responses: { "200": {} },
      },
    },
  },
  components: {
    responses: {
      Gone: { content: { "application/problem+json": { schema: { type: "object" } } } },
    },
    schemas: {
      Thing: {
        type: "object",
        properties: {
          id: { type: "string", maxLength: 64 },
          state: { type: "string", enum: ["OPEN", "DONE"] },
          note: { type: "string" },
          endedAt: { anyOf: [{ type: "string", format: "date-time" }, { type: "null" }] },
          rows: { type: "array", items: { type: "string" } },
        },
        required: ["id", "state", "endedAt"],
        additionalProperties: false,
      },
      Sent: {
        type: "object",
        properties: {
          amount: { type: "string", pattern: "^[0-9]+$" },
          seconds: { anyOf: [{ type: "number", minimum: 1 }, { type: "null" }] },
          kind: { type: "string", enum: ["A", "B"] },
          rows: { type: "array", maxItems: 10, items: { type: "number" } },
        },
        required: ["amount"],
      },
    },
  },
});
// biome-ignore lint/suspicious/noExplicitAny: the tables edit the document at any place
type Loose = any;
type Edit = (document: Loose) => void;
const get = (document: Loose) => document.paths["/things/{id}"].get;
const put = (document: Loose) => document.paths["/things/{id}"].put;
const thing = (document: Loose) => document.components.schemas.Thing;
const sent = (document: Loose) => document.components.schemas.Sent;

function changes(edit: Edit): string[] {
  const after = released();
  edit(after);
  return breakingChanges(released() as OpenApi, after as OpenApi);
}

// biome-ignore format: one change a line
const BREAKS: [name: string, edit: Edit, words: string][] = [
  ["an operation removed", (d) => delete d.paths["/things/{id}"].put, "PUT /things/{id}: the operation was removed"],
  ["a path removed", (d) => delete d.paths["/things/{id}"], "GET /things/{id}: the operation was removed"],
  ["an operation renamed", (d) => (get(d).operationId = "readThing"), "operationId: readThing"],
  ["a parameter removed", (d) => get(d).parameters.pop(), "query parameter sort: was removed"],
  ["a parameter made required", (d) => (get(d).parameters[0].required = true), "limit: is required now"],
  ["a required parameter added", (d) => get(d).parameters.push({ in: "header", name: "X-Key", required: true }), "header parameter X-Key: is required now"],
  ["a limit of a parameter narrowed", (d) => (get(d).parameters[0].schema.maximum = 100), "limit: maximum 200 does not fit 100"],
  ["a limit raised from below", (d) => (get(d).parameters[0].schema.minimum = 2), "limit: minimum 1 does not fit 2"],
  ["a value removed from a parameter", (d) => get(d).parameters[1].schema.enum.pop(), 'the value "DESC" is no longer accepted'],
  ["a token demanded where none was", (d) => (put(d).security = [{ token: [] }]), "security: no token is no longer enough"],
  ["a way to prove who calls removed", (d) => get(d).security.pop(), "security: session is no longer enough"],
  ["a body made required", (d) => (put(d).requestBody.required = true), "body: is required now"],
  ["a media type of a body removed", (d) => (put(d).requestBody.content = { "text/csv": {} }), "body: no longer application/json"],
  ["a sent field made required", (d) => sent(d).required.push("kind"), "body.kind: the field is required now"],
  ["a sent field removed", (d) => delete sent(d).properties.kind, "body.kind: the field was removed"],
  ["further sent fields refused", (d) => (sent(d).additionalProperties = false), "body: further fields are refused now"],
  ["a sent field with another type", (d) => (sent(d).properties.amount.type = "number"), "body.amount: type string instead of number"],
  ["a sent field no longer null", (d) => sent(d).properties.seconds.anyOf.pop(), "body.seconds: type null instead of number"],
  ["a whole number where any was", (d) => (sent(d).properties.rows.items.type = "integer"), "body.rows[]: type number instead of integer"],
  ["another pattern of a sent field", (d) => (sent(d).properties.amount.pattern = "^[1-9]$"), "body.amount: pattern ^[0-9]+$ instead of ^[1-9]$"],
  ["a length bound on a sent field", (d) => (sent(d).properties.amount.maxLength = 9), "body.amount: maxLength none does not fit 9"],
  ["fewer rows accepted", (d) => (sent(d).properties.rows.maxItems = 5), "body.rows: maxItems 10 does not fit 5"],
  ["a value removed from a sent field", (d) => sent(d).properties.kind.enum.shift(), 'body.kind: the value "A" is no longer accepted'],
  ["a status removed", (d) => delete get(d).responses["404"], "404: the status was removed"],
  ["a header of a reply removed", (d) => delete get(d).responses["200"].headers.ETag, "200 header ETag: was removed"],
  ["a header of a reply with another type", (d) => (get(d).responses["200"].headers.ETag.schema.type = "integer"), "200 header ETag: type integer instead of string"],
  ["a media type of a reply changed", (d) => (d.components.responses.Gone.content = { "application/json": {} }), "404: no longer application/problem+json"],
  ["a field of a reply removed", (d) => delete thing(d).properties.note, "200.note: the field was removed"],
  ["a field of a reply no longer certain", (d) => thing(d).required.shift(), "200.id: the field may be missing now"],
  ["a field of a reply with another type", (d) => (thing(d).properties.note.type = ["string", "null"]), "200.note: type string or null instead of string"],
  ["a new value in a reply", (d) => thing(d).properties.state.enum.push("LOST"), '200.state: the value "LOST" is new to callers'],
  ["a reply without its list of values", (d) => delete thing(d).properties.state.enum, "200.state: any value instead of"],
  ["a reply longer than promised", (d) => (thing(d).properties.id.maxLength = 128), "200.id: maxLength 128 does not fit 64"],
  ["a format of a reply dropped", (d) => delete thing(d).properties.endedAt.anyOf[0].format, "200.endedAt: format none instead of date-time"],
  ["rows of a reply with another type", (d) => (thing(d).properties.rows.items.type = "object"), "200.rows[]: type object instead of string"],
];

// biome-ignore format: one change a line
const HARMLESS: [name: string, edit: Edit][] = [
  ["an optional sent field added", (d) => (sent(d).properties.memo = { type: "string" })],
  ["a field of a reply added", (d) => (thing(d).properties.by = { type: "string" })],
  ["a field of a reply made certain", (d) => thing(d).required.push("note")],
  ["an optional parameter added", (d) => get(d).parameters.push({ in: "query", name: "q", schema: { type: "string", enum: [] } })],
  ["a status added", (d) => (get(d).responses["429"] = {})],
  ["an operation added", (d) => (d.paths["/others"] = { get: { responses: {} } })],
  ["a limit widened", (d) => (sent(d).properties.rows.maxItems = 20)],
  ["a value added to a sent field", (d) => sent(d).properties.kind.enum.push("C")],
  ["a value no longer in a reply", (d) => thing(d).properties.state.enum.pop()],
  ["a sent field that may also be null", (d) => (sent(d).properties.amount.type = ["string", "null"])],
  ["no token needed any more", (d) => (get(d).security = [])],
  ["a header of a reply added", (d) => (put(d).responses["200"].headers = { ETag: {} })],
  ["other words", (d) => (thing(d).properties.id.description = "The id.")],
];

describe("a change that breaks callers is named", () => {
  test.each(BREAKS)("%s", (_, edit, words) => {
    expect(changes(edit).join("\n")).toContain(words);
  });
});

describe("a change that breaks nobody is not", () => {
  test.each(HARMLESS)("%s", (_, edit) => {
    expect(changes(edit)).toEqual([]);
  });
  test("no change", () => {
    expect(changes(() => undefined)).toEqual([]);
  });
});

describe("the committed document", () => {
  const text = (path: string) => readFileSync(path, "utf8");
  const lastReleased = () => JSON.parse(text("docs/openapi-released.json")) as OpenApi;

  test("breaks no caller of the released one, unless the newest section of CHANGELOG.md says so", () => {
    const breaks = breakingChanges(lastReleased(), JSON.parse(text("openapi.json")) as OpenApi);
    if (!announcesBreak(text("CHANGELOG.md"))) expect(breaks).toEqual([]);
  });

  test("would be seen to break them by each operation or status that it lost", () => {
    const whole: Loose = lastReleased();
    for (const [path, item] of Object.entries<Loose>(whole.paths)) {
      for (const [method, operation] of Object.entries<Loose>(item)) {
        // One operation at a time: comparing all of the document for each takes seconds.
        const only = (left: Loose) => ({ ...whole, paths: { [path]: left } }) as OpenApi;
        const released = only({ [method]: operation });
        expect(breakingChanges(released, only({}))).toHaveLength(1);
        for (const status of Object.keys(operation.responses)) {
          const { [status]: _, ...responses } = operation.responses;
          const without = only({ [method]: { ...operation, responses } });
          expect(breakingChanges(released, without)).toHaveLength(1);
        }
      }
    }
  });

  test("only a line of the newest section announces a break", () => {
    const whenNewest = (lines: string) => announcesBreak(`# Changelog\n\n## Unreleased\n\n${lines}\n`);
    expect(whenNewest("- **Breaking** limit is 100.\n\n## 1.0.0")).toBe(true);
    expect(whenNewest("- More.\n\n## 1.0.0\n\n- **Breaking** all.")).toBe(false);
    expect(whenNewest("- Not **Breaking**.")).toBe(false);
  });
});
