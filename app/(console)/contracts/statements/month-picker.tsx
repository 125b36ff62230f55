"use client";
import { ChevronLeft, ChevronRight } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { nameOfMonth } from "@/server/kernel/values/batch-terms";
import { buttonLook } from "../../../ui/button-look";
import { NativeSelect } from "../../../ui/native-select";
import { statementPath } from "./month-param";

interface MonthPickerProps {
  contractAddress: string;
  month: string;
  /** The months that have a statement, newest first. */
  months: readonly string[];
}

export function MonthPicker({ contractAddress, month, months }: MonthPickerProps) {
  const router = useRouter();
  const index = months.indexOf(month);
  const step = (to: string | undefined, name: string, Icon: typeof ChevronLeft) =>
    to ? (
      <Link
        href={statementPath(contractAddress, to)}
        prefetch={false}
        aria-label={`${name}: ${nameOfMonth(to)}`}
        className={buttonLook({ size: "icon" })}
      >
        <Icon aria-hidden size={14} />
      </Link>
    ) : (
      <button type="button" disabled aria-label={name} className={buttonLook({ size: "icon" })}>
        <Icon aria-hidden size={14} />
      </button>
    );
  return (
    <div className="flex items-center gap-1.5">
      {step(months[index + 1], "Previous month", ChevronLeft)}
      <NativeSelect
        aria-label="Month"
        value={month}
        onChange={({ target }) => router.push(statementPath(contractAddress, target.value))}
        className="w-56"
      >
        {months.map((each, at) => (
          <option key={each} value={each}>
            {nameOfMonth(each)}
            {at === 0 ? " (so far)" : ""}
          </option>
        ))}
      </NativeSelect>
      {step(index > 0 ? months[index - 1] : undefined, "Next month", ChevronRight)}
    </div>
  );
}
