import { BookOpen, Keyboard, KeyRound, LogOut, UserRound } from "lucide-react";
import { usePathname } from "next/navigation";
import { type ReactElement, useState } from "react";
import { signOutHere } from "@/app/(console)/sign-out";
import { useStaff } from "@/app/(console)/staff";
import { csvChoice, storeCsvChoice } from "@/app/data/csv";
import { later } from "@/app/ui/later";
import { Menu, MenuItem, MenuLink, MenuRadios, MenuSeparator } from "@/app/ui/menu";
import { readTheme, storeTheme } from "@/app/ui/theme";
import { showKeys } from "./keyboard-help";
import { isWithin, NAV_ITEMS, UnseenCount } from "./sidebar";

const PasswordDialog = later(() => import("./password-dialog"));

export function NavPanel({ trigger }: { trigger: ReactElement }) {
  const pathname = usePathname();
  return (
    <Menu trigger={trigger}>
      {NAV_ITEMS.map(({ path, name, icon }) => (
        <MenuLink key={path} icon={icon} href={path} isCurrent={isWithin(pathname, path)}>
          {name}
          {path === "/inbox" && <UnseenCount />}
        </MenuLink>
      ))}
    </Menu>
  );
}

const THEMES = [
  { value: "system", label: "System" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
] as const;

const CSV_FORMS = [
  { value: "excel", label: "For Excel (byte-order mark)" },
  { value: "plain", label: "Plain UTF-8, for programs (no mark, no apostrophes)" },
] as const;
const readCsvChoice = () => csvChoice(document.cookie);

export default function PersonPanel({ trigger }: { trigger: ReactElement }) {
  const { email, role } = useStaff();
  const [isChanging, setChanging] = useState(false);
  return (
    <>
      <Menu trigger={trigger}>
        <div className="px-2 pt-1.5 pb-2">
          <div className="truncate font-medium text-table">{email}</div>
          <div className="hint">{role}</div>
        </div>
        <MenuSeparator />
        <MenuRadios label="Theme" read={readTheme} store={storeTheme} options={THEMES} />
        <MenuSeparator />
        <MenuRadios label="CSV exports" read={readCsvChoice} store={storeCsvChoice} options={CSV_FORMS} />
        <MenuSeparator />
        <MenuLink icon={BookOpen} href="/docs">
          API reference
        </MenuLink>
        <MenuItem icon={Keyboard} onClick={showKeys}>
          Keyboard shortcuts
          <kbd aria-label="Question mark" className="ml-auto font-mono hint">
            ?
          </kbd>
        </MenuItem>
        <MenuLink icon={UserRound} href="/profile">
          Your profile
        </MenuLink>
        <MenuItem icon={KeyRound} onClick={() => setChanging(true)}>
          Change password…
        </MenuItem>
        <MenuItem icon={LogOut} onClick={() => void signOutHere()}>
          Sign out
        </MenuItem>
      </Menu>
      {isChanging && <PasswordDialog close={() => setChanging(false)} />}
    </>
  );
}
