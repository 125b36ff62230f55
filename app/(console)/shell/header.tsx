import { SearchButton } from "../search/search-button";
import { Breadcrumb, type LoadedLabel } from "./breadcrumb";
import { KeyboardHelp } from "./keyboard-help";
import { PersonMenu, ZoneMenu } from "./menus";
import { NavDrawer } from "./sidebar";

interface HeaderProps {
  isDevelopment: boolean;
  person: { email: string; role: string };
  loaded: LoadedLabel;
}

export function Header({ isDevelopment, person, loaded }: HeaderProps) {
  return (
    <header className="flex h-14 shrink-0 items-center gap-2 border-line border-b bg-surface pr-3 pl-3 md:pl-6 print:hidden">
      <NavDrawer />
      <Breadcrumb loaded={loaded} />
      {isDevelopment && (
        <span className="rounded-badge border border-line px-1.5 text-label text-muted max-sm:hidden">
          development
        </span>
      )}
      <SearchButton />
      <ZoneMenu />
      <PersonMenu {...person} />
      <KeyboardHelp />
    </header>
  );
}
