import { Fragment } from "react";
import { Badge, type Tone } from "@/app/ui/badge";

const MARK = /(`[^`]+`|\*\*[^*]+\*\*)/;

/** Supports `code` and **strong**. */
export function InlineText({ text }: { text: string }) {
  return text.split(MARK).map((part, index) => {
    const key = `${index}${part}`;
    if (part.startsWith("`"))
      return (
        <code
          key={key}
          className="wrap-anywhere rounded-badge bg-hover px-1 py-px font-mono text-[0.92em] text-text"
        >
          {part.slice(1, -1)}
        </code>
      );
    if (part.startsWith("**"))
      return (
        <strong key={key} className="font-semibold">
          {part.slice(2, -2)}
        </strong>
      );
    return <Fragment key={key}>{part}</Fragment>;
  });
}

/** Supports paragraphs and lists. */
export function Prose({ text }: { text: string }) {
  return text
    .trim()
    .split(/\n{2,}/)
    .filter(Boolean)
    .map((block) => {
      const lines = block.split("\n");
      if (!lines.every((line) => /^[-*] /.test(line)))
        return (
          <p key={block} className="max-w-[72ch] text-pretty text-body/6">
            <InlineText text={lines.join(" ")} />
          </p>
        );
      return (
        <ul key={block} className="flex max-w-[72ch] list-disc flex-col gap-1 pl-5 text-body/6">
          {lines.map((line) => (
            <li key={line}>
              <InlineText text={line.slice(2)} />
            </li>
          ))}
        </ul>
      );
    });
}

const TONES: Record<string, Tone> = { 2: "finalized", 3: "pending", 4: "overdue", 5: "danger" };

export function StatusMark({ status }: { status: string | number }) {
  const text = String(status);
  return (
    <Badge
      tone={TONES[text.charAt(0)] ?? "cancelled"}
      label={<span className="font-mono tabular-nums">{text}</span>}
    />
  );
}
