import { LanguageChoice } from "@/app/docs/language-choice";
import { InlineText } from "@/app/docs/markdown";
import { LANGUAGES, type Language, programOf, quickStart, type Step } from "@/app/docs/quick-start";
import { CopyProgram, OriginBlock } from "@/app/docs/try-it";
import { GUIDES, type GuideName } from "@/server/guides/guides";
import { publicOrigin } from "@/server/kernel/settings";

/** Visible while the button of the language is checked. */
const SHOWN: Record<Language, string> = {
  curl: "hidden group-has-[[value=curl]:checked]/quick:block",
  ts: "hidden group-has-[[value=ts]:checked]/quick:block",
  py: "hidden group-has-[[value=py]:checked]/quick:block",
};
const ALL = Object.keys(LANGUAGES) as Language[];

const NEXT: GuideName[] = ["pay-many", "retries", "webhooks", "going-live"];

export function QuickStart() {
  const { introduction, steps } = quickStart();
  return (
    <section aria-labelledby="quick-start" className="group/quick flex flex-col gap-8 pt-10 pb-12">
      <div className="flex flex-col gap-3">
        <h1 id="quick-start" className="scroll-mt-20 font-semibold text-[1.75rem]/9 max-lg:scroll-mt-28">
          Quick start
        </h1>
        <p className="max-w-[72ch] text-pretty text-body/6">
          <InlineText text={introduction} />
        </p>
        <div className="mt-2 flex flex-wrap items-center gap-x-6 gap-y-3">
          <LanguageChoice languages={LANGUAGES} />
          {ALL.map((language) => (
            <div key={language} className={SHOWN[language]}>
              <CopyProgram
                what={`All of it in ${LANGUAGES[language]}`}
                origin={publicOrigin()}
                code={programOf(steps, language)}
              />
            </div>
          ))}
        </div>
      </div>
      <ol className="flex flex-col gap-8">
        {steps.map((step, index) => (
          <li key={step.title} className="flex flex-col gap-3">
            <div className="flex flex-col gap-1.5">
              <h2 className="flex gap-2.5 font-semibold text-[1.0625rem]/6">
                <span aria-hidden className="disc font-medium">
                  {index + 1}
                </span>
                {step.title}
              </h2>
              <p className="max-w-[72ch] text-pretty text-body/6 text-muted">
                <InlineText text={step.text} />
              </p>
            </div>
            <StepCode {...step} />
          </li>
        ))}
      </ol>
      <p className="text-body/6">
        Next:{" "}
        {NEXT.map((name, index) => (
          <span key={name}>
            {index > 0 && " · "}
            <a href={`/docs/${name}`} className="text-accent underline underline-offset-2">
              {GUIDES[name][0]}
            </a>
          </span>
        ))}
      </p>
    </section>
  );
}

function StepCode({ title, code }: Step) {
  const origin = publicOrigin();
  if (typeof code === "string") return <OriginBlock what={title} origin={origin} code={code} />;
  return (
    <div className="min-w-0">
      {ALL.map((language) => (
        <div key={language} data-language={language} className={SHOWN[language]}>
          <OriginBlock what={`${title}, ${LANGUAGES[language]}`} origin={origin} code={code[language]} />
        </div>
      ))}
    </div>
  );
}
