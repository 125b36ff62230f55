"use client";

import { Play } from "lucide-react";
import { Fragment, useState, useSyncExternalStore } from "react";
import { buildRequest, type Callable, curlOf, type PlainRequest } from "@/app/docs/build-request";
import { StatusMark } from "@/app/docs/text";
import { Button } from "@/app/ui/button";
import { CodeBlock } from "@/app/ui/code-block";
import { Field, Input, TextArea, TextField } from "@/app/ui/fields";
import { ScrollRegion } from "@/app/ui/scroll-region";

interface RequestPanelProps {
  operation: Callable;
  /** The server's origin, used until the browser's is known. */
  origin: string;
}

export function RequestPanel({ operation, origin: known }: RequestPanelProps) {
  const origin = useOrigin(known);
  const [isOpen, setOpen] = useState(false);
  const [body, setBody] = useState(operation.body?.text ?? "");
  const [isSending, setSending] = useState(false);
  const [answer, setAnswer] = useState<Answer | "none">();
  const kept = useKept();
  const { token = "" } = kept;
  const values = Object.fromEntries(
    operation.parameters.map((parameter) => [parameter.name, kept[keptKey(operation, parameter)] ?? ""]),
  );
  const send = async () => {
    setSending(true);
    setAnswer(undefined);
    setAnswer(await sendRequest(buildRequest(operation, values, token, body)).catch(() => "none" as const));
    setSending(false);
  };
  const formId = `${operation.id}-try`;
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <CodeBlock
        what="curl command"
        wraps
        code={curlOf(origin, buildRequest(operation, values, operation.needsToken ? "$TOKEN" : "", body))}
      />
      <Button
        icon={Play}
        aria-expanded={isOpen}
        aria-controls={formId}
        onClick={() => setOpen(!isOpen)}
        className="self-start"
      >
        Try it
      </Button>
      {isOpen && (
        <div id={formId} className="flex flex-col gap-3">
          <RequestForm
            operation={operation}
            origin={origin}
            body={body}
            onBody={setBody}
            isSending={isSending}
            onSend={() => void send()}
          />
          <div role="status">{answer && <AnswerView answer={answer} />}</div>
        </div>
      )}
    </div>
  );
}

type Parameter = Callable["parameters"][number];

interface RequestFormProps {
  operation: Callable;
  origin: string;
  body: string;
  onBody: (body: string) => void;
  isSending: boolean;
  onSend: () => void;
}

function RequestForm({ operation, origin, body, onBody, isSending, onSend }: RequestFormProps) {
  const kept = useKept();
  return (
    <form
      method="post"
      autoComplete="off"
      className="flex flex-col gap-3 rounded-card border border-line bg-surface p-4"
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      {operation.needsToken && (
        <TextField
          label="Access token"
          hint="Kept in memory only. Reloading the page clears it."
          type="password"
          autoComplete="off"
          spellCheck={false}
          value={kept.token ?? ""}
          onChange={(event) => keep("token", event.target.value.trim())}
          className="font-mono text-mono!"
        />
      )}
      <div className="grid gap-3 sm:grid-cols-2">
        {operation.parameters.map((parameter) => {
          const key = keptKey(operation, parameter);
          return (
            <ParameterField
              key={key}
              parameter={parameter}
              value={kept[key] ?? ""}
              onValue={(value) => keep(key, value)}
            />
          );
        })}
      </div>
      {operation.body && (
        <Field label="Body">
          {(control) => (
            <TextArea
              {...control}
              rows={Math.min(16, body.split("\n").length + 1)}
              spellCheck={false}
              value={body}
              onChange={(event) => onBody(event.target.value)}
              className="field-sizing-content max-h-96 resize-y font-mono text-mono!"
            />
          )}
        </Field>
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button type="submit" variant="primary" busy={isSending}>
          Send
        </Button>
        <p className="wrap-anywhere min-w-0 flex-1 text-label text-muted">
          Sends a live request to {origin.replace(/^https?:\/\//, "")}.
          {operation.method !== "GET" && " Changes are real."}
        </p>
      </div>
    </form>
  );
}

interface ParameterFieldProps {
  parameter: Parameter;
  value: string;
  onValue: (value: string) => void;
}

function ParameterField({ parameter, value, onValue }: ParameterFieldProps) {
  const { name, in: place, required, example, choices } = parameter;
  return (
    <div className={place === "path" ? "sm:col-span-2" : undefined}>
      <Field label={required ? `${name} (required)` : name}>
        {(control) =>
          choices ? (
            <select
              {...control}
              value={value}
              onChange={(event) => onValue(event.target.value)}
              className="h-9 w-full rounded-control border border-input-line bg-surface px-2 text-body"
            >
              <option value="">Not sent</option>
              {choices.map((choice) => (
                <option key={choice}>{choice}</option>
              ))}
            </select>
          ) : (
            <Input
              {...control}
              required={required}
              spellCheck={false}
              placeholder={example}
              value={value}
              onChange={(event) => onValue(event.target.value.trim())}
              className="font-mono text-mono!"
            />
          )
        }
      </Field>
    </div>
  );
}

const CHARS_SHOWN_MAX = 20_000;

function AnswerView({ answer }: { answer: Answer | "none" }) {
  if (answer === "none")
    return (
      <p className="rounded-control bg-danger-ground px-3 py-2 text-danger text-table">
        No response. Check your network connection, then send the request again.
      </p>
    );
  const { status, statusText, tookMs, headers, text, code } = answer;
  const shown =
    text.length > CHARS_SHOWN_MAX
      ? `${text.slice(0, CHARS_SHOWN_MAX)}\n… truncated, copy the body to get the rest`
      : text;
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <p className="flex flex-wrap items-center gap-2 text-table">
        <StatusMark status={statusText ? `${status} ${statusText}` : status} />
        <span className="text-muted">{tookMs} ms</span>
        {code && (
          <a href={`/docs/errors#${code}`} className="text-accent underline underline-offset-2">
            What {code} means
          </a>
        )}
      </p>
      {text && (
        <ScrollRegion
          aria-label="Response body"
          className="max-h-112 overflow-y-auto rounded-card outline-offset-0"
        >
          <CodeBlock what="response body" wraps code={text} excerpt={<JsonText text={shown} />} />
        </ScrollRegion>
      )}
      <details className="text-table">
        <summary className="cursor-pointer rounded-badge text-muted hover:text-text">
          {headers.length} headers
        </summary>
        <dl className="wrap-anywhere mt-1 grid grid-cols-[auto_1fr] gap-x-4 font-mono text-mono">
          {headers.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-muted">{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}

const WAIT_MS_MAX = 30_000;

interface Answer {
  status: number;
  statusText: string;
  /** Until the last byte of the body. */
  tookMs: number;
  headers: [name: string, value: string][];
  text: string;
  /** The problem code of an error response. */
  code: string | null;
}

/** Sends no cookies, like a contract's backend. @throws when there is no response */
async function sendRequest({ method, path, headers, body }: PlainRequest): Promise<Answer> {
  const startMs = performance.now();
  const reply = await fetch(path, {
    method,
    headers,
    body,
    credentials: "omit",
    cache: "no-store",
    signal: AbortSignal.timeout(WAIT_MS_MAX),
  });
  const raw = await reply.text();
  const json = parse(raw);
  return {
    status: reply.status,
    statusText: reply.statusText,
    tookMs: Math.round(performance.now() - startMs),
    headers: [...reply.headers],
    text: json === undefined ? raw : JSON.stringify(json, null, 2),
    code: reply.headers.get("content-type")?.includes("problem+json") ? codeOf(json) : null,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function codeOf(json: unknown): string | null {
  const code = (json as { code?: unknown } | undefined)?.code;
  return typeof code === "string" ? code : null;
}

const EMPTY: Readonly<Record<string, string>> = {};
/** Shared by all forms of the page. In memory only: the access token must not be stored. */
let kept = EMPTY;
const listeners = new Set<() => void>();

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function keep(name: string, value: string): void {
  kept = { ...kept, [name]: value };
  for (const listener of listeners) listener();
}

const useKept = () =>
  useSyncExternalStore(
    listen,
    () => kept,
    () => EMPTY,
  );

/** Path values are shared between operations; other parameters are not. */
const keptKey = (operation: Callable, { name, in: location }: Callable["parameters"][number]) =>
  location === "path" ? name : `${operation.id} ${name}`;

const TOKEN = /("(?:[^"\\]|\\.)*"(?:\s*:)?|-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b|\b(?:true|false|null)\b)/;

function look(token: string): string | undefined {
  if (token.startsWith('"')) return token.endsWith(":") ? undefined : "text-finalized";
  return /^(?:-?\d|true$|false$|null$)/.test(token) ? "text-finalizing" : undefined;
}

/** JSON with syntax highlighting. */
export function JsonText({ text }: { text: string }) {
  return text.split(TOKEN).map((token, index) => {
    const key = `${index}`;
    const className = look(token);
    return className ? (
      <span key={key} className={className}>
        {token}
      </span>
    ) : (
      <Fragment key={key}>{token}</Fragment>
    );
  });
}

const never = () => () => undefined;

/** The browser's origin; the server's during server-side rendering. */
function useOrigin(known: string): string {
  return useSyncExternalStore(
    never,
    () => location.origin,
    () => known,
  );
}

export function BaseAddress({ origin }: { origin: string }) {
  return <CodeBlock what="base URL" wraps code={useOrigin(origin)} />;
}
