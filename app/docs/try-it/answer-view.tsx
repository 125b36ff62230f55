"use client";
import { CodeBlock } from "../../ui/code-block";
import { ScrollRegion } from "../../ui/scroll-region";
import { JsonText } from "../json-text";
import { StatusMark } from "../reference/status-mark";
import type { Answer } from "./send-request";

const CHARS_SHOWN_MAX = 20_000;

export function AnswerView({ answer }: { answer: Answer | "none" }) {
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
