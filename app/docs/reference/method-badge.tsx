import { Badge, type Tone } from "../../ui/badge";

const TONES: Record<string, Tone> = {
  GET: "pending",
  POST: "finalized",
  PUT: "overdue",
  DELETE: "danger",
};

export function MethodBadge({ method }: { method: string }) {
  return (
    <Badge tone={TONES[method] ?? "cancelled"}>
      <span className="font-mono">{method}</span>
    </Badge>
  );
}
