import { LockKeyhole, LockKeyholeOpen } from "lucide-react";
import { Fragment } from "react";
import { Badge, type Tone } from "../../ui/badge";
import { CodeBlock } from "../../ui/code-block";
import { CopyButton } from "../../ui/copy-button";
import type { OperationView } from "../document/read-operations";
import { Prose } from "../inline-text";
import { JsonText } from "../json-text";
import { toCallable } from "../try-it/build-request";
import { RequestPanel } from "../try-it/request-panel";
import { FieldList } from "./field-list";
import { Replies } from "./replies";

export function OperationPart({ operation, origin }: { operation: OperationView; origin: string }) {
  const { id, method, path, summary, description, parameters, body, replies, deprecated } = operation;
  const success = replies.find(({ status }) => status.startsWith("2"));
  return (
    <section
      aria-labelledby={id}
      className="grid scroll-mt-14 gap-x-10 gap-y-6 border-line border-t py-10 xl:grid-cols-[minmax(0,1fr)_minmax(0,27rem)]"
    >
      <div className="flex min-w-0 flex-col gap-6">
        <div className="flex flex-col gap-3">
          <h3 id={id} className="scroll-mt-20 font-semibold text-[1.0625rem]/6 max-lg:scroll-mt-28">
            <a href={`#${id}`} className="rounded-badge hover:text-accent">
              {summary}
            </a>
          </h3>
          <div className="flex items-center gap-2">
            <MethodBadge method={method} />
            <code className="wrap-anywhere min-w-0 font-mono text-mono">
              <Path path={path} />
            </code>
            <CopyButton value={path} what="path" />
          </div>
          {deprecated && <p className="text-overdue">Deprecated. Do not use it in new code.</p>}
          <Prose text={description} />
          <Security security={operation.security} />
        </div>
        <FieldList title="Parameters" rows={parameters} isInput />
        {body?.shapes.map(({ name, rows }) => (
          <FieldList key={name} title={`Body, ${body.mediaType}`} rows={rows} isInput />
        ))}
        <Replies replies={replies} />
      </div>
      <div className="min-w-0">
        <div className="flex flex-col gap-4 xl:sticky xl:top-20 xl:has-[form]:static">
          <RequestPanel operation={toCallable(operation)} origin={origin} />
          {success?.samples?.[0] && (
            <figure className="flex min-w-0 flex-col gap-1.5">
              <figcaption className="text-label text-muted">Response ({success.status})</figcaption>
              <CodeBlock
                what={`response of ${summary}`}
                wraps
                code={success.samples[0].text}
                excerpt={<JsonText text={success.samples[0].text} />}
              />
            </figure>
          )}
        </div>
      </div>
    </section>
  );
}

/** Allows line breaks before slashes. */
function Path({ path }: { path: string }) {
  return path.split(/(?=\/)/).map((part) => (
    <Fragment key={part}>
      <wbr />
      {part}
    </Fragment>
  ));
}

function Security({ security }: Pick<OperationView, "security">) {
  const scopes = [...new Set(security.flatMap((one) => one.scopes))];
  const Icon = security.length === 0 ? LockKeyholeOpen : LockKeyhole;
  return (
    <p className="flex items-center gap-1.5 text-label text-muted">
      <Icon aria-hidden size={13} className="shrink-0" />
      {security.length === 0 ? (
        "No access token required"
      ) : (
        <span>
          Requires{" "}
          {security.map(({ scheme }, index) => (
            <span key={scheme}>
              {index > 0 && " or "}
              <a href="#authentication" className="font-mono underline underline-offset-2 hover:text-text">
                {scheme}
              </a>
            </span>
          ))}
          {scopes.length > 0 && (
            <>
              , scope <span className="font-mono">{scopes.join(", ")}</span>
            </>
          )}
        </span>
      )}
    </p>
  );
}

const TONES: Record<string, Tone> = {
  GET: "pending",
  POST: "finalized",
  PUT: "overdue",
  DELETE: "danger",
};

function MethodBadge({ method }: { method: string }) {
  return (
    <Badge tone={TONES[method] ?? "cancelled"}>
      <span className="font-mono">{method}</span>
    </Badge>
  );
}
