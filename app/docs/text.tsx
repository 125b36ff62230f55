import { Badge, type Tone } from "@/app/ui/badge";

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
