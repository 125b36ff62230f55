"use client";
import { Menu as Base } from "@base-ui/react/menu";
import { Check } from "lucide-react";
import type { ReactElement, ReactNode } from "react";

interface MenuProps {
  trigger: ReactElement;
  align?: "start" | "end";
  defaultOpen?: boolean;
  children: ReactNode;
}

const ITEM =
  "flex min-h-8 cursor-default select-none items-center gap-2 rounded-control px-2 text-table outline-none data-highlighted:bg-hover";

export function Menu({ trigger, align = "end", defaultOpen, children }: MenuProps) {
  return (
    <Base.Root modal={false} defaultOpen={defaultOpen}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} sideOffset={6} className="z-50 outline-none">
          <Base.Popup className="overlay-motion max-h-(--available-height) min-w-48 overflow-y-auto rounded-card border border-line bg-raised p-1 shadow-overlay outline-none">
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

export function MenuItem({ children, onClick }: { children: ReactNode; onClick: () => void }) {
  return (
    <Base.Item className={ITEM} onClick={onClick}>
      {children}
    </Base.Item>
  );
}

export function MenuCheckItem(props: {
  children: ReactNode;
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
}) {
  return (
    <Base.CheckboxItem {...props} className={ITEM}>
      <Mark on={props.checked} />
      {props.children}
    </Base.CheckboxItem>
  );
}

interface MenuRadiosProps<Value extends string> {
  label: string;
  value: Value;
  onValueChange: (value: Value) => void;
  options: readonly { value: Value; label: ReactNode }[];
}

export function MenuRadios<Value extends string>({
  label,
  value,
  onValueChange,
  options,
}: MenuRadiosProps<Value>) {
  return (
    <Base.Group>
      <MenuLabel>{label}</MenuLabel>
      <Base.RadioGroup value={value} onValueChange={onValueChange} aria-label={label}>
        {options.map((option) => (
          <Base.RadioItem key={option.value} value={option.value} className={ITEM}>
            <Mark on={option.value === value} />
            {option.label}
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  );
}

export function MenuGroup({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <Base.Group>
      <MenuLabel>{label}</MenuLabel>
      {children}
    </Base.Group>
  );
}

function MenuLabel({ children }: { children: ReactNode }) {
  return <Base.GroupLabel className="px-2 pt-1.5 pb-1 text-label text-muted">{children}</Base.GroupLabel>;
}

export function MenuSeparator() {
  return <Base.Separator className="-mx-1 my-1 h-px bg-line" />;
}

function Mark({ on }: { on: boolean }) {
  return (
    <span aria-hidden className="flex size-4 items-center justify-center text-accent">
      {on && <Check size={14} />}
    </span>
  );
}
