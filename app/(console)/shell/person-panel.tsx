"use client";
import { BookOpen, Keyboard, KeyRound, LogOut, UserRound } from "lucide-react";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { type ReactElement, useState } from "react";
import { Key } from "../../ui/key";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu";
import { ThemeChoices } from "../../ui/theme-choices";
import { showKeys } from "./keyboard-help";
import { endSession } from "./sign-out";

const PasswordDialog = dynamic(() => import("./password-dialog").then((module) => module.PasswordDialog), {
  ssr: false,
});

interface PersonPanelProps {
  trigger: ReactElement;
  email: string;
  role: string;
}

export function PersonPanel({ trigger, email, role }: PersonPanelProps) {
  // The count is the key of the dialog: the form starts empty each time.
  const [asked, setAsked] = useState(0);
  const [open, setOpen] = useState(false);
  const router = useRouter();
  const ask = () => {
    setAsked(asked + 1);
    setOpen(true);
  };
  return (
    <>
      <Menu trigger={trigger} defaultOpen>
        <div className="px-2 pt-1.5 pb-2">
          <div className="truncate font-medium text-table">{email}</div>
          <div className="text-label text-muted">{role}</div>
        </div>
        <MenuSeparator />
        <ThemeChoices />
        <MenuSeparator />
        <MenuItem onClick={() => location.assign("/docs")}>
          <BookOpen aria-hidden size={14} className="text-muted" />
          API reference
        </MenuItem>
        <MenuItem onClick={showKeys}>
          <Keyboard aria-hidden size={14} className="text-muted" />
          Keyboard shortcuts
          <span className="ml-auto">
            <Key sign="?" name="Question mark" />
          </span>
        </MenuItem>
        <MenuItem onClick={() => router.push("/profile")}>
          <UserRound aria-hidden size={14} className="text-muted" />
          Your profile
        </MenuItem>
        <MenuItem onClick={ask}>
          <KeyRound aria-hidden size={14} className="text-muted" />
          Change password…
        </MenuItem>
        <MenuItem onClick={() => void endSession()}>
          <LogOut aria-hidden size={14} className="text-muted" />
          Sign out
        </MenuItem>
      </Menu>
      {asked > 0 && <PasswordDialog key={asked} email={email} open={open} onOpenChange={setOpen} />}
    </>
  );
}
