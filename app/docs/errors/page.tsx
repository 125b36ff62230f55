import { STATUS_CODES } from "node:http";
import type { Metadata } from "next";
import { type ErrorView, readErrors } from "@/app/docs/document";
import { InlineText, Prose } from "@/app/docs/markdown";
import { type ContentsGroup, DocsPage } from "@/app/docs/navigation";
import { StatusMark } from "@/app/docs/text";
import { Example } from "@/app/docs/try-it";
import { FIELD_CODES } from "@/terms/problems";

/** The limits come from the settings of the running process, not of the build. */
export const dynamic = "force-dynamic";

export const metadata: Metadata = {
  title: "Errors",
  description: "Every error code of the API: when it happens, and what to do.",
};

const INTRODUCTION = `Every error is returned as \`application/problem+json\` (RFC 9457). \
Handle errors by \`code\`, which is stable. \
\`title\` and \`detail\` are for people and may change. \
\`type\` links to the code on this page. \
When you ask for help, include \`requestId\`. \
It is also in the \`X-Request-Id\` header.

A batch is all or nothing: after an error, none of it was stored. \
The exceptions are 500 and 504, which leave the outcome of a submit unknown. \
To find out, repeat a \`PUT\` under the same ID, or a \`POST\` with its \`Idempotency-Key\`. \
After a \`POST\` without one, check the list first: a second \`POST\` is a second batch.`;

const FIELD_ERRORS =
  "Each entry of `errors` in a `validation_failed` response has a `pointer` to the field, " +
  "one of these codes, and a human-readable `detail`.";

export default function ErrorsPage() {
  const errors = readErrors();
  const statuses = [...new Set(errors.map(({ status }) => status))];
  return (
    <DocsPage groups={contents(statuses, errors)}>
      <div className="mx-auto flex max-w-[1180px] flex-col gap-10 pt-10">
        <div className="flex flex-col gap-3">
          <h1 className="font-semibold text-[1.75rem]/9">Errors</h1>
          <Prose text={INTRODUCTION} />
        </div>
        {statuses.map((status) => (
          <section key={status} aria-labelledby={`status-${status}`} className="flex flex-col gap-3">
            <h2 id={`status-${status}`} className="flex items-center gap-2 font-semibold text-title">
              <StatusMark status={status} />
              {STATUS_CODES[status]}
            </h2>
            {errors
              .filter((error) => error.status === status)
              .map((error) => (
                <ErrorPart key={error.code} error={error} />
              ))}
          </section>
        ))}
        <FieldCodes />
      </div>
    </DocsPage>
  );
}

const contents = (statuses: number[], errors: ErrorView[]): ContentsGroup[] => [
  ...statuses.map((status) => ({
    name: `${status} ${STATUS_CODES[status]}`,
    entries: errors
      .filter((error) => error.status === status)
      .map(({ code }) => ({ href: `#${code}`, name: code })),
  })),
  {
    name: "Field errors",
    entries: Object.keys(FIELD_CODES).map((code) => ({ href: `#${code}`, name: code })),
  },
];

function FieldCodes() {
  return (
    <section aria-labelledby="field-codes" className="flex flex-col gap-3">
      <h2 id="field-codes" className="scroll-mt-20 font-semibold text-title max-lg:scroll-mt-32">
        Field error codes
      </h2>
      <p className="max-w-[72ch] text-body/6">
        <InlineText text={FIELD_ERRORS} />
      </p>
      <dl className="border-line border-b">
        {Object.entries(FIELD_CODES).map(([code, meaning]) => (
          <div
            key={code}
            id={code}
            className="grid scroll-mt-20 gap-x-4 border-line border-t px-2 py-2
              target:bg-selected max-lg:scroll-mt-32 sm:grid-cols-[15rem_1fr]"
          >
            <dt>
              <a href={`#${code}`} className="wrap-anywhere rounded-badge mono hover:text-accent">
                {code}
              </a>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function ErrorPart({ error }: { error: ErrorView }) {
  const { code, title, when, remedy, example } = error;
  return (
    <article
      id={code}
      aria-labelledby={`${code}-title`}
      className="card flex scroll-mt-30 flex-col gap-4 p-4
        target:border-accent target:ring-1 target:ring-accent max-lg:scroll-mt-40 md:p-5"
    >
      <div>
        <h3 id={`${code}-title`} className="font-semibold">
          <a
            href={`#${code}`}
            className="wrap-anywhere rounded-badge font-mono text-[0.875rem]/6 hover:text-accent"
          >
            {code}
          </a>
        </h3>
        <p className="text-muted">{title}</p>
      </div>
      <div className="grid gap-x-8 gap-y-4 xl:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
        <dl className="flex max-w-[72ch] flex-col gap-3">
          {Object.entries({ When: when, "What to do": remedy }).map(([name, text]) => (
            <div key={name}>
              <dt className="hint">{name}</dt>
              <dd>
                <InlineText text={text} />
              </dd>
            </div>
          ))}
        </dl>
        <Example json={example} />
      </div>
    </article>
  );
}
