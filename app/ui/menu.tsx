"use client";

import { Menu as Base } from "@base-ui/react/menu";
import { clsx } from "clsx";
import { Check, type LucideIcon } from "lucide-react";
import { type ReactElement, type ReactNode, useState } from "react";
import { Link } from "@/app/ui/button";

const ITEM = "choice cursor-default select-none gap-2 outline-none data-highlighted:bg-hover";

/** Open at first: a click on its button has loaded its code. */
export function Menu({ trigger, children }: { trigger: ReactElement; children: ReactNode }) {
  return (
    <Base.Root modal={false} defaultOpen>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align="end" sideOffset={6} className="z-50 outline-none">
          <Base.Popup className="overlay max-h-(--available-height) min-w-48 overflow-y-auto p-1">
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

interface MenuItemProps {
  icon?: LucideIcon;
  danger?: boolean;
  onClick: () => void;
  children: ReactNode;
}

export function MenuItem({ icon: Icon, danger, onClick, children }: MenuItemProps) {
  return (
    <Base.Item className={clsx(ITEM, danger && "text-danger")} onClick={onClick}>
      {Icon && <Icon size={14} className={danger ? undefined : "text-muted"} />}
      {children}
    </Base.Item>
  );
}

interface MenuLinkProps {
  icon: LucideIcon;
  href: string;
  isCurrent?: boolean;
  children: ReactNode;
}

export function MenuLink({ icon: Icon, href, isCurrent, children }: MenuLinkProps) {
  return (
    <Base.LinkItem
      render={<Link href={href} />}
      aria-current={isCurrent ? "page" : undefined}
      closeOnClick
      className={clsx(ITEM, isCurrent && "font-medium")}
    >
      <Icon size={14} className="text-muted" />
      {children}
    </Base.LinkItem>
  );
}

interface MenuRadiosProps<Value extends string> {
  label: string;
  read: () => Value;
  store: (value: Value) => void;
  options: readonly { value: Value; label: ReactNode }[];
}

/** A choice that the browser stores. */
export function MenuRadios<Value extends string>({ label, read, store, options }: MenuRadiosProps<Value>) {
  const [first] = useState(read);
  return (
    <Base.Group>
      <Base.GroupLabel className="px-2 pt-1.5 pb-1 hint">{label}</Base.GroupLabel>
      <Base.RadioGroup defaultValue={first} onValueChange={store} aria-label={label}>
        {options.map((option) => (
          <Base.RadioItem key={option.value} value={option.value} className={ITEM}>
            <Base.RadioItemIndicator
              keepMounted
              className="grid size-4 place-items-center text-accent data-unchecked:invisible"
            >
              <Check size={14} />
            </Base.RadioItemIndicator>
            {option.label}
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  );
}

export function MenuSeparator() {
  return <Base.Separator className="-mx-1 my-1 h-px bg-line" />;
}
