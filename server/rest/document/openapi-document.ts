import { generateOpenApiDocument } from "trpc-to-openapi";
import { single } from "@/server/kernel/process";
import { publicOrigin, settings } from "@/server/kernel/settings";
import { RouteTable } from "@/server/rest/routes/route-table";
import { restRouter } from "@/server/trpc/root";
import { completeOperation, type OperationObject, REPLY_HEADERS, type Reply } from "./complete-operation";
import { fieldErrorSchema, problemExamples, problemSchema } from "./problem-schema";

const NAMES: Record<string, string> = {
  304: "NotModified",
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  409: "Conflict",
  413: "ContentTooLarge",
  415: "UnsupportedMediaType",
  422: "UnprocessableContent",
  429: "TooManyRequests",
  500: "InternalServerError",
  503: "ServiceUnavailable",
};

/** Replaces the most common reply of each status by a reference. @returns the replies that became components, by name */
export function shareReplies(operations: OperationObject[]): Record<string, Reply> {
  const shared: Record<string, Reply> = {};
  for (const [status, name] of Object.entries(NAMES)) {
    const holders = new Map<string, OperationObject["responses"][]>();
    for (const { responses } of operations) {
      const reply = JSON.stringify(responses[status]);
      if (reply) holders.set(reply, [...(holders.get(reply) ?? []), responses]);
    }
    const [most] = [...holders.values()].sort((one, other) => other.length - one.length);
    if (!most || most.length < 2) continue;
    shared[name] = most[0]![status]!;
    for (const responses of most) responses[status] = { $ref: `#/components/responses/${name}` };
  }
  return shared;
}

const DESCRIPTION = `A contract distributes points by submitting batches of transfers. A batch stays pending until it is due and can be cancelled until then.
It is then finalized, and every recipient is credited exactly once.

- **Authenticate** with \`Authorization: Bearer <token>\`: an access token that the service's staff created for the contract, or the token of an operator who signed in.
- **Amounts** are decimal strings, never JSON numbers. **Addresses** may be in any letter case, but a mixed-case address must match its EIP-55 checksum.
- **Errors** are \`application/problem+json\` with a \`code\` from a closed list. A batch is stored completely or not at all, and the error for a rejected batch lists its invalid rows.
- **Retry safely** by submitting with PUT under your own batch ID. The same content returns the original reply, with \`Idempotent-Replayed: true\`.
- **Unknown** body fields and query parameters are errors and are never ignored. HEAD works wherever GET does, and every path supports OPTIONS.`;

const TAGS = [
  { name: "Batches", description: "Submit, list, retrieve and cancel batches of transfers." },
  {
    name: "Receipts",
    description:
      "Proofs that a finalized batch has a transfer, which anyone can check against the batch's root.",
  },
  { name: "Balances", description: "Points that a contract has available, reserved and sent." },
  {
    name: "Webhooks",
    description:
      "Get notified about a contract's batches. Deliveries are signed and retried, and can arrive in any order.",
  },
  { name: "Books", description: "Totals of all points and a daily hash chain, for anyone. Off by default." },
  { name: "Operator sign-in", description: "Exchange the signature of a contract's operator for a token." },
];

/** Generators of clients want a whole URL, which is known if PUBLIC_URL is set. `x-internal: false` marks the API as public. */
const SERVER = {
  url: "/",
  description: "The service that serves this document, in production or locally.",
  "x-internal": false,
};

type Document = ReturnType<typeof generateOpenApiDocument>;

/** The OpenAPI 3.1 document of `/v1` with the configured limits. */
export const openApiDocument = (): Document =>
  single("openapi", () => {
    const router = restRouter();
    const document = generateOpenApiDocument(router, {
      title: "Point transfer batches",
      description: DESCRIPTION,
      version: "1.0.0",
      openApiVersion: "3.1.0",
      baseUrl: "/",
      securitySchemes: {
        accessToken: {
          type: "http",
          scheme: "bearer",
          description:
            "An access token that the service's staff created for the contract: `ptb_` followed by 36 characters, with scopes.",
        },
        operatorToken: {
          type: "http",
          scheme: "bearer",
          description:
            "A token that the contract's operator received for a signature: `pto_` followed by 36 characters, valid for one hour, with the scopes `batches:read` and `batches:write`.",
        },
      },
    });
    return completeDocument(document, new RouteTable(router));
  });

function completeDocument(document: Document, routes: RouteTable): Document {
  document.info.license = { name: "MIT", identifier: "MIT" };
  const { PUBLIC_URL } = settings();
  document.servers = [{ ...SERVER, url: PUBLIC_URL ? publicOrigin() : SERVER.url }];
  document.tags = TAGS;
  const operations: OperationObject[] = [];
  for (const [path, methods] of Object.entries(document.paths ?? {})) {
    for (const [method, operation] of Object.entries(methods)) {
      const queryFields = routes.match(path)!.operations.get(method.toUpperCase())!.queryFields;
      completeOperation(method, operation as OperationObject, queryFields);
      operations.push(operation as OperationObject);
    }
  }
  const schemas = Object.entries(document.components?.schemas ?? {}).filter(
    ([name]) => !name.startsWith("error."),
  );
  document.components = {
    ...document.components,
    schemas: { ...Object.fromEntries(schemas), Problem: problemSchema, FieldError: fieldErrorSchema },
    responses: shareReplies(operations),
    examples: problemExamples(),
    headers: REPLY_HEADERS,
  } as Document["components"];
  return document;
}

/** The document as served and committed. */
export const openApiText = (): string => `${JSON.stringify(openApiDocument(), null, 2)}\n`;
