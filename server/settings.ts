import { parseSettings, type Settings } from "./env";
import { single } from "./single";

/** The settings of this process, parsed on first use. @throws SettingsError */
export function settings(): Settings {
  return single("settings", () => parseSettings(process.env));
}
