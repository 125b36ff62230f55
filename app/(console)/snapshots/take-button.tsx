"use client";
import { Camera } from "lucide-react";
import { useState } from "react";
import { useStaff } from "@/app/(console)/staff";
import { Button } from "@/app/ui/button";
import { later } from "@/app/ui/later";
import type { SnapshotScope } from "./scope-choice";

const TakeDialog = later(() => import("./take-dialog"));

export function TakeButton(scope: SnapshotScope) {
  const { role } = useStaff();
  const [isOpen, setOpen] = useState(false);
  if (role === "viewer") return null;
  return (
    <>
      <Button variant="primary" icon={Camera} className="ml-auto" onClick={() => setOpen(true)}>
        Take snapshot…
      </Button>
      {isOpen && <TakeDialog {...scope} close={() => setOpen(false)} />}
    </>
  );
}
