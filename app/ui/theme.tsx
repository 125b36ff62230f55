const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

/** Local storage key; without an entry, the system theme applies. */
const KEPT_AS = "theme";

const SCRIPT = `try{document.documentElement.dataset.theme=localStorage.getItem("${KEPT_AS}")}catch(e){}`;

/** Sets the theme before the first paint, to avoid a flash. */
export function ThemeScript({ nonce }: { nonce: string | undefined }) {
  return (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant that must run before hydration
    <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: SCRIPT }} />
  );
}

export const readTheme = (): Theme =>
  THEMES.find((theme) => theme === localStorage.getItem(KEPT_AS)) ?? "system";

export function paintTheme(): void {
  document.documentElement.dataset.theme = readTheme();
}

export function storeTheme(theme: Theme): void {
  if (theme === "system") localStorage.removeItem(KEPT_AS);
  else localStorage.setItem(KEPT_AS, theme);
  paintTheme();
}
