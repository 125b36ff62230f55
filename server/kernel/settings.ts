import { parseSettings, type Settings } from "./env";
import { single } from "./single";

/** The settings of this process, parsed on first use. @throws SettingsError */
export function settings(): Settings {
  return single("settings", () => parseSettings(process.env));
}

/** The service's public scheme, host and port, shown to users and wallets. Never taken from a request. */
export function publicOrigin(): string {
  const { PUBLIC_URL, PORT } = settings();
  return PUBLIC_URL ? new URL(PUBLIC_URL).origin : `http://localhost:${PORT}`;
}
