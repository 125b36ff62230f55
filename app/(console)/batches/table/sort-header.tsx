"use client";
import { ArrowDown, ArrowUp } from "lucide-react";
import { useListParams } from "../use-list-params";

export function SortHeader({ name }: { name: string }) {
  const { params, setParams } = useListParams();
  const Icon = params.sort === "ASC" ? ArrowUp : ArrowDown;
  return (
    <button
      type="button"
      onClick={() => void setParams({ sort: params.sort === "ASC" ? "DESC" : "ASC" })}
      title={params.sort === "ASC" ? "Oldest first" : "Newest first"}
      className="inline-flex items-center gap-1 rounded-badge hover:text-text"
    >
      {name}
      <Icon aria-hidden size={12} />
    </button>
  );
}
