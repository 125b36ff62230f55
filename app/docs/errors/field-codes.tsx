import { FIELD_CODES } from "@/server/kernel/values/problems";
import { InlineText } from "../inline-text";

export function FieldCodes() {
  return (
    <section aria-labelledby="field-codes" className="flex flex-col gap-3">
      <h2 id="field-codes" className="scroll-mt-20 font-semibold text-title max-lg:scroll-mt-32">
        Field error codes
      </h2>
      <p className="max-w-[72ch] text-body/6">
        <InlineText text="Each entry of `errors` in a `validation_failed` response has a `pointer` to the field, one of these codes, and a human-readable `detail`." />
      </p>
      <dl className="border-line border-b">
        {Object.entries(FIELD_CODES).map(([code, meaning]) => (
          <div
            key={code}
            id={code}
            className="grid scroll-mt-20 gap-x-4 border-line border-t px-2 py-2 target:bg-selected max-lg:scroll-mt-32 sm:grid-cols-[15rem_1fr]"
          >
            <dt>
              <a
                href={`#${code}`}
                className="wrap-anywhere rounded-badge font-mono text-mono hover:text-accent"
              >
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
