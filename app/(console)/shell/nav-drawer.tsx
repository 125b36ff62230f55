"use client";
import { Menu as MenuIcon } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { Button } from "../../ui/button";
import { NavLinks } from "./nav-links";

const Sheet = dynamic(() => import("../../ui/sheet").then((module) => module.Sheet), { ssr: false });

/** Replaces the sidebar on a phone. */
export function NavDrawer() {
  const [open, setOpen] = useState<boolean>();
  return (
    <>
      <Button
        variant="ghost"
        size="icon"
        className="md:hidden"
        aria-label="Open menu"
        aria-expanded={open ?? false}
        onClick={() => setOpen(true)}
      >
        <MenuIcon aria-hidden size={18} />
      </Button>
      {open !== undefined && (
        <Sheet open={open} onOpenChange={setOpen} title="Point transfers">
          <NavLinks onGo={() => setOpen(false)} />
        </Sheet>
      )}
    </>
  );
}
