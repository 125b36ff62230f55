import { CodeBlock } from "../../ui/code-block";
import { CopyButton } from "../../ui/copy-button";
import { InlineText } from "../inline-text";
import { JsonText } from "../json-text";
import type { ErrorView } from "./read-errors";

/** The code in the URL's hash is highlighted. */
export function ErrorPart({ error }: { error: ErrorView }) {
  const { code, title, when, remedy, example, operations } = error;
  return (
    <article
      id={code}
      aria-labelledby={`${code}-title`}
      className="flex scroll-mt-30 flex-col gap-4 rounded-card border border-line bg-surface p-4 target:border-accent target:ring-1 target:ring-accent max-lg:scroll-mt-40 md:p-5"
    >
      <div>
        <h3 id={`${code}-title`} className="flex items-center gap-1.5 font-semibold">
          <a
            href={`#${code}`}
            className="wrap-anywhere rounded-badge font-mono text-[0.875rem]/6 hover:text-accent"
          >
            {code}
          </a>
          <CopyButton value={code} what="code" />
        </h3>
        <p className="text-muted">{title}</p>
      </div>
      <div className="grid gap-x-8 gap-y-4 xl:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
        <dl className="flex max-w-[72ch] flex-col gap-3">
          <Part name="When">
            <InlineText text={when} />
          </Part>
          <Part name="What to do">
            <InlineText text={remedy} />
          </Part>
          {operations.length > 0 && (
            <Part name="Returned by">
              <ul className="flex flex-wrap gap-x-3">
                {operations.map(({ id, method, summary }) => (
                  <li key={id}>
                    <a
                      href={`/docs#${id}`}
                      className="inline-block rounded-badge py-0.5 underline decoration-line underline-offset-4 hover:text-accent"
                    >
                      <span className="font-mono text-[11px] text-muted">{method}</span> {summary}
                    </a>
                  </li>
                ))}
              </ul>
            </Part>
          )}
        </dl>
        <CodeBlock what={`example of ${code}`} wraps code={example} excerpt={<JsonText text={example} />} />
      </div>
    </article>
  );
}

function Part({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="text-label text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
