"use client";
import { LogOut } from "lucide-react";
import { buttonLook } from "../../ui/button";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu";
import { ThemeChoices } from "../../ui/theme-choices";

async function leave(): Promise<void> {
  const { signOut } = await import("next-auth/react");
  await signOut({ callbackUrl: "/sign-in" });
}

export function PersonMenu({ email, role }: { email: string; role: string }) {
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={`${email}, ${role}`}
          className={buttonLook({ variant: "ghost", size: "icon" })}
        >
          <span
            aria-hidden
            className="flex size-6 items-center justify-center rounded-full border border-line bg-selected font-semibold text-accent text-label uppercase"
          >
            {email.slice(0, 1)}
          </span>
        </button>
      }
    >
      <div className="px-2 pt-1.5 pb-2">
        <div className="truncate font-medium text-table">{email}</div>
        <div className="text-label text-muted">{role}</div>
      </div>
      <MenuSeparator />
      <ThemeChoices />
      <MenuSeparator />
      <MenuItem onClick={() => void leave()}>
        <LogOut aria-hidden size={14} className="text-muted" />
        Sign out
      </MenuItem>
    </Menu>
  );
}
