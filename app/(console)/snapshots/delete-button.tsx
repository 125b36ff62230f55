"use client";
import { useState } from "react";
import { useStaff } from "@/app/(console)/staff";
import { Button } from "@/app/ui/button";
import { later } from "@/app/ui/later";
import type { ConsoleSnapshot } from "@/server/snapshots/console-snapshots";

const DeleteDialog = later(() => import("./delete-dialog"));

export function DeleteButton({ snapshot }: { snapshot: ConsoleSnapshot }) {
  const { role } = useStaff();
  const [isOpen, setOpen] = useState(false);
  if (role === "viewer") return null;
  return (
    <>
      <Button size="small" className="self-start" onClick={() => setOpen(true)}>
        Delete…
      </Button>
      {isOpen && <DeleteDialog snapshot={snapshot} close={() => setOpen(false)} />}
    </>
  );
}
