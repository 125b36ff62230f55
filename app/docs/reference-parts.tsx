import { Fragment } from "react";
import {
  type FieldRow,
  type OperationView,
  type ReplyView,
  readDocument,
  readHeaders,
  toCallable,
} from "@/app/docs/document";
import { InlineText, Prose } from "@/app/docs/markdown";
import type { ContentsGroup } from "@/app/docs/navigation";
import { StatusMark } from "@/app/docs/text";
import { Example, JsonBlock, OriginBlock, RequestPanel } from "@/app/docs/try-it";
import { Badge, type Tone } from "@/app/ui/badge";
import { SETTINGS } from "@/server/kernel/env";
import { publicOrigin, type Settings, settings } from "@/server/kernel/settings";
import { GROUPS } from "@/server/rest/document/groups";

const START = ["Quick start", "Introduction", "Authentication", "Headers", "Limits"];

/** The contents of the reference. @param open the group of this page */
export const groupEntries = (operations: OperationView[], open?: string): ContentsGroup[] => [
  {
    name: "Getting started",
    entries: START.map((name) => ({ href: `/docs#${name.toLowerCase().replace(" ", "-")}`, name })),
  },
  ...GROUPS.map(({ name: group }) => ({
    name: group,
    entries: operations
      .filter(({ tag }) => tag === group)
      .map((operation) => ({
        href: group === open ? `#${operation.id}` : operation.href,
        name: operation.summary,
        mark: operation.method === "DELETE" ? "DEL" : operation.method,
      })),
  })),
];

export function Introduction() {
  const { info, components } = readDocument();
  return (
    <div className="flex min-w-0 flex-col gap-8">
      <section aria-labelledby="introduction" className="flex flex-col gap-3">
        <h2 id="introduction" className="scroll-mt-20 font-semibold text-[1.75rem]/9 max-lg:scroll-mt-28">
          {info.title}
        </h2>
        <Prose text={info.description} />
        <div className="flex max-w-[72ch] flex-col gap-1.5">
          <p className="hint">Base URL (version {info.version})</p>
          <OriginBlock what="base URL" wraps origin={publicOrigin()} code={publicOrigin()} />
        </div>
      </section>
      <section aria-labelledby="authentication" className="flex flex-col gap-3">
        <h2 id="authentication" className="scroll-mt-20 font-semibold text-title max-lg:scroll-mt-28">
          Authentication
        </h2>
        <dl className="flex max-w-[72ch] flex-col gap-3">
          {Object.entries(components.securitySchemes).map(([name, { description }]) => (
            <div key={name}>
              <dt className="font-medium mono">{name}</dt>
              <dd>
                <Prose text={description} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
      <section aria-labelledby="headers" className="flex flex-col gap-3">
        <h2 id="headers" className="scroll-mt-20 font-semibold text-title max-lg:scroll-mt-28">
          Response headers
        </h2>
        <FieldList rows={readHeaders()} />
      </section>
    </div>
  );
}

interface OperationPartProps {
  operation: OperationView;
  /** Of this page. */
  operations: readonly OperationView[];
}

export function OperationPart({ operation, operations }: OperationPartProps) {
  const { id, method, path, summary, description, parameters, body, replies } = operation;
  const [example = ""] = replies.find(({ status }) => status === "200")?.body?.samples ?? [];
  const above = operations.slice(0, operations.indexOf(operation));
  const hasShape = (name: string) => (one: OperationView) =>
    one.replies.some((reply) => reply.body?.shapes.some((shape) => shape.name === name));
  return (
    <section aria-labelledby={id} className="docs-columns scroll-mt-14 gap-y-6 py-10">
      <div className="flex min-w-0 flex-col gap-6">
        <div className="flex flex-col gap-3">
          <h2 id={id} className="scroll-mt-20 font-semibold text-[1.0625rem]/6 max-lg:scroll-mt-28">
            <a href={`#${id}`} className="rounded-badge hover:text-accent">
              {summary}
            </a>
          </h2>
          <div className="flex items-center gap-2">
            <Badge tone={TONES[method]!} label={<span className="font-mono">{method}</span>} />
            <code className="wraps mono">{path}</code>
          </div>
          <Prose text={description} />
          <Security security={operation.security} />
        </div>
        <FieldList title="Parameters" rows={parameters} isInput />
        {body?.shapes.map(({ name, rows }) => (
          <FieldList key={name} title="Body, application/json" rows={rows} isInput />
        ))}
        <div>
          <h3 className="pb-2 font-semibold text-body">Responses</h3>
          <div className="border-line border-b">
            {replies.filter(isSuccess).map((reply) => (
              <ReplyPart
                key={reply.status}
                reply={reply}
                describedIn={(name) => (name === "" ? undefined : above.find(hasShape(name)))}
              />
            ))}
          </div>
        </div>
        <ErrorList replies={replies.filter((reply) => !isSuccess(reply))} />
      </div>
      <div className="min-w-0">
        <div className="flex flex-col gap-4 xl:sticky xl:top-20 xl:has-[form]:static">
          <RequestPanel operation={toCallable(operation)} origin={publicOrigin()} />
          <figure className="flex min-w-0 flex-col gap-1.5">
            <figcaption className="hint">Response (200)</figcaption>
            <JsonBlock what={`response of ${summary}`} text={example} />
          </figure>
        </div>
      </div>
    </section>
  );
}

function Security({ security }: Pick<OperationView, "security">) {
  if (security.length === 0) return <p className="hint">No access token required</p>;
  return (
    <p className="hint">
      Requires{" "}
      <a href="/docs#authentication" className="font-mono underline underline-offset-2 hover:text-text">
        {security.join(" or ")}
      </a>
    </p>
  );
}

const TONES: Record<string, Tone> = {
  GET: "pending",
  POST: "finalized",
  PUT: "overdue",
  DELETE: "danger",
};

interface FieldListProps {
  title?: string;
  rows: (FieldRow & { in?: string })[];
  /** Marks required fields; pointless for responses. */
  isInput?: boolean;
}

function FieldList({ title, rows, isInput = false }: FieldListProps) {
  if (rows.length === 0) return null;
  return (
    <table className="docs-table">
      {title && <caption>{title}</caption>}
      <tbody>
        {rows.map((row) => (
          <tr key={row.prefix + row.name}>
            <th scope="row">
              <code>
                {row.prefix && <span>{row.prefix}</span>}
                {row.name}
              </code>
              <small>
                {[row.type, row.in].filter(Boolean).join(" · ")}
                {isInput && row.required && <span className="text-danger"> · required</span>}
              </small>
            </th>
            <td>
              {row.description && (
                <p>
                  <InlineText text={row.description} />
                </p>
              )}
              {row.facts.length > 0 && (
                <small>
                  <InlineText text={row.facts.join(" · ")} />
                </small>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const isSuccess = ({ codes }: ReplyView) => codes.length === 0;

interface ReplyPartProps {
  reply: ReplyView;
  describedIn: (shape: string) => OperationView | undefined;
}

/** The first example is beside all replies. */
function ReplyPart({ reply, describedIn }: ReplyPartProps) {
  const { status, description, headers, body } = reply;
  return (
    <div className="flex items-start gap-2 border-line border-t py-2 text-table">
      <StatusMark status={status} />
      <div className="flex min-w-0 flex-1 flex-col gap-4">
        <div>
          <InlineText text={description} />
          {headers && <p className="hint">With {headers}</p>}
        </div>
        {body?.shapes.map(({ name, rows }, _, all) => {
          const first = describedIn(name);
          const title = all.length > 1 || first ? `Body: ${name}` : "Body";
          if (!first) return <FieldList key={name} title={title} rows={rows} />;
          return (
            <p key={name}>
              <span className="font-semibold">{title}</span>, as in{" "}
              <a href={`#${first.id}`} className="text-accent underline underline-offset-2">
                {first.summary}
              </a>
            </p>
          );
        })}
        {body?.samples.slice(1).map((json) => (
          <Example key={json} json={json} />
        ))}
      </div>
    </div>
  );
}

/** What each code means, and its body, is on the page of errors. */
const ErrorList = ({ replies }: { replies: ReplyView[] }) => (
  <table className="docs-table">
    <caption>Errors</caption>
    <tbody className="mono">
      {replies.map(({ status, codes, headers }) => (
        <tr key={status}>
          <th scope="row">{status}</th>
          <td>
            {codes.map((code, at) => (
              <Fragment key={code}>
                {at > 0 && ", "}
                <a href={`/docs/errors#${code}`}>{code}</a>
              </Fragment>
            ))}
            {headers && `, with ${headers}`}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** Settings that are safe to publish, with their units. New ones stay hidden until they are added. */
const SHOWN = {
  MAX_TRANSFERS_PER_BATCH: "",
  MINIMUM_TRANSFER_POINTS: "",
  MINIMUM_TRANSFER_GOLD: "",
  MINIMUM_FINALIZE_SECONDS: "s",
  DEFAULT_FINALIZE_SECONDS: "s",
  BODY_BYTES_MAX: "bytes",
  RATE_LIMIT_PER_MINUTE: "",
  TOKEN_FAILURES_PER_MINUTE: "",
  SIGN_IN_RATE_LIMIT_PER_MINUTE: "",
  SIGN_IN_FAILURES_PER_MINUTE: "",
} as const satisfies Partial<Record<keyof Settings, string>>;

export function Limits() {
  const rows = Object.entries(SHOWN).map(([key, unit]) => {
    const name = key as keyof typeof SHOWN;
    const type = `${settings()[name].toLocaleString("en-GB")} ${unit}`;
    const { description = "" } = SETTINGS[name];
    return { prefix: "", name, type, required: false, description, facts: [] };
  });
  return (
    <section aria-labelledby="limits" className="flex min-w-0 flex-col gap-3">
      <h2 id="limits" className="scroll-mt-20 font-semibold text-title max-lg:scroll-mt-28">
        Limits of this host
      </h2>
      <FieldList rows={rows} />
    </section>
  );
}
