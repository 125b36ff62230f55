import type { ReactNode } from "react";

export function NewBatchFrame({ children }: { children: ReactNode }) {
  return (
    <div className="mx-auto w-full max-w-[880px] p-4 md:p-6">
      <h1 className="mb-4 font-semibold text-title">New batch</h1>
      {children}
    </div>
  );
}
