import { classNames } from "../../../ui/class-names";

const STEPS = ["Prepare", "Review", "Submit"] as const;

export function Steps({ now }: { now: (typeof STEPS)[number] }) {
  return (
    <ol className="mb-6 flex gap-2">
      {STEPS.map((step, index) => (
        <li
          key={step}
          aria-current={step === now ? "step" : undefined}
          className={classNames(
            "flex-1 border-t-2 pt-1.5 text-label",
            STEPS.indexOf(now) >= index ? "border-accent" : "border-line",
            step === now ? "font-medium text-text" : "text-muted",
          )}
        >
          {index + 1}. {step}
        </li>
      ))}
    </ol>
  );
}
