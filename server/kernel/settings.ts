import { parseSettings, type Settings } from "./env";
import { single } from "./single";

/** The settings of this process, parsed on first use. @throws SettingsError */
export function settings(): Settings {
  return single("settings", () => parseSettings(process.env));
}

/** Scheme, host and port under which people and wallets know the service: never taken from a request. */
export function publicOrigin(): string {
  const { PUBLIC_URL, PORT } = settings();
  return PUBLIC_URL ? new URL(PUBLIC_URL).origin : `http://localhost:${PORT}`;
}
