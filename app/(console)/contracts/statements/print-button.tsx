"use client";
import { Printer } from "lucide-react";
import { Button } from "../../../ui/button";

export function PrintButton() {
  return (
    <Button onClick={() => window.print()}>
      <Printer aria-hidden size={14} className="text-muted" />
      Print
    </Button>
  );
}
