"use client";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { DifferencesProps } from "./differences";

const ComparedRecipients = dynamic(() => import("./differences"));

export function Differences({ batchKey, withId }: DifferencesProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="ml-2 whitespace-nowrap rounded-badge
          text-accent text-label underline-offset-2 hover:underline"
      >
        {isOpen ? "Hide differences" : "View differences"}
      </button>
      {isOpen && <ComparedRecipients batchKey={batchKey} withId={withId} />}
    </>
  );
}
