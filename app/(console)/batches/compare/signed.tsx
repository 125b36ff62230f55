import { Amount } from "../../../ui/amount";

/** A difference, with its sign. */
export function Signed({
  value,
  fraction = 0,
  className,
}: {
  value: string;
  fraction?: number;
  className?: string;
}) {
  const isNegative = value.startsWith("-");
  return (
    <>
      {value !== "0" && <span className="mr-0.5">{isNegative ? "−" : "+"}</span>}
      <Amount value={value.replace("-", "")} fraction={fraction} className={className} />
    </>
  );
}
