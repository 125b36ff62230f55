import type { OpenApi } from "../document/openapi";
import { readHeaders } from "../document/read-operations";
import { Prose } from "../inline-text";
import { BaseAddress } from "./base-address";
import { FieldList } from "./field-list";

interface IntroductionProps {
  document: OpenApi;
  origin: string;
}

export function Introduction({ document, origin }: IntroductionProps) {
  const { info, components } = document;
  return (
    <div className="flex min-w-0 flex-col gap-8">
      <section aria-labelledby="introduction" className="flex flex-col gap-3">
        <h1 id="introduction" className="scroll-mt-20 font-semibold text-[1.75rem]/9">
          {info.title}
        </h1>
        <Prose text={info.description ?? ""} />
        <div className="flex max-w-[72ch] flex-col gap-1.5">
          <p className="text-label text-muted">Base URL (version {info.version})</p>
          <BaseAddress origin={origin} />
        </div>
      </section>
      <section aria-labelledby="authentication" className="flex flex-col gap-3">
        <h2 id="authentication" className="scroll-mt-20 font-semibold text-title max-lg:scroll-mt-28">
          Authentication
        </h2>
        <dl className="flex max-w-[72ch] flex-col gap-3">
          {Object.entries(components?.securitySchemes ?? {}).map(([name, { description, scheme }]) => (
            <div key={name}>
              <dt className="font-medium font-mono text-mono">{name}</dt>
              <dd>
                <Prose
                  text={
                    description ??
                    `Sent as \`Authorization: ${scheme === "bearer" ? "Bearer" : scheme} <token>\`.`
                  }
                />
              </dd>
            </div>
          ))}
        </dl>
      </section>
      <section aria-labelledby="headers" className="flex flex-col gap-3">
        <h2 id="headers" className="scroll-mt-20 font-semibold text-title max-lg:scroll-mt-28">
          Response headers
        </h2>
        <FieldList rows={readHeaders(document)} />
      </section>
    </div>
  );
}
