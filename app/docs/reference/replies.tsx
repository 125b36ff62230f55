import { STATUS_CODES } from "node:http";
import { ChevronRight } from "lucide-react";
import { PROBLEMS, type ProblemCode } from "@/server/kernel/values/problems";
import { CodeBlock } from "../../ui/code-block";
import type { ReplyView } from "../document/read-operations";
import type { Sample } from "../document/sample";
import { InlineText } from "../inline-text";
import { JsonText } from "../json-text";
import { FieldList } from "./field-list";
import { StatusMark } from "./status-mark";

export function Replies({ replies }: { replies: ReplyView[] }) {
  return (
    <div>
      <h4 className="pb-2 font-semibold text-body">Responses</h4>
      <div className="border-line border-b">
        {replies.map((reply) => (
          <ReplyPart key={reply.status} reply={reply} />
        ))}
      </div>
    </div>
  );
}

function ReplyPart({ reply }: { reply: ReplyView }) {
  const { status, description, headers, shapes = [], samples = [], codes } = reply;
  const isError = Number(status) >= 400;
  // Each code links to the errors page, which has its example.
  const shown = isError ? samples.slice(0, 1) : samples;
  return (
    <details className="group border-line border-t">
      <summary className="flex cursor-pointer list-none items-start gap-2 py-2 text-table hover:text-accent [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          size={14}
          className="mt-[3px] shrink-0 text-muted transition-transform duration-100 group-open:rotate-90"
        />
        <StatusMark status={status} />
        <span className="min-w-0">
          <InlineText text={description || STATUS_CODES[status] || ""} />
        </span>
      </summary>
      <div className="flex flex-col gap-4 pb-4 pl-5.5">
        {codes.length > 0 && <Codes codes={codes} />}
        {headers.length > 0 && <Headers names={headers} />}
        {!isError &&
          shapes.map(({ name, rows }) => (
            <FieldList key={name} title={shapes.length > 1 ? `Body: ${name}` : "Body"} rows={rows} />
          ))}
        {shown.map((sample) => (
          <SampleBlock key={sample.name} sample={sample} status={status} isNamed={samples.length > 1} />
        ))}
      </div>
    </details>
  );
}

function Codes({ codes }: { codes: string[] }) {
  return (
    <ul className="flex flex-col text-table">
      {codes.map((code) => (
        <li key={code} className="flex flex-wrap items-baseline gap-x-2">
          <a
            href={`/docs/errors#${code}`}
            className="inline-block py-0.5 font-mono text-accent text-mono underline underline-offset-2"
          >
            {code}
          </a>
          <span className="text-muted">{PROBLEMS[code as ProblemCode]?.title}</span>
        </li>
      ))}
    </ul>
  );
}

function Headers({ names }: { names: string[] }) {
  return (
    <p className="text-label/5 text-muted">
      Headers:{" "}
      {names.map((name, index) => (
        <span key={name}>
          {index > 0 && ", "}
          <a
            href="#headers"
            className="font-mono underline decoration-line underline-offset-4 hover:text-text"
          >
            {name}
          </a>
        </span>
      ))}
    </p>
  );
}

function SampleBlock({ sample, status, isNamed }: { sample: Sample; status: string; isNamed: boolean }) {
  const { name, summary, text } = sample;
  return (
    <div className="flex flex-col gap-1.5">
      {isNamed && (
        <p className="text-label text-muted">
          <span className="font-mono">{name}</span>
          {summary && <>: {summary}</>}
        </p>
      )}
      <CodeBlock
        what={isNamed ? `example of ${name}` : `example of ${status}`}
        wraps
        code={text}
        excerpt={<JsonText text={text} />}
      />
    </div>
  );
}
