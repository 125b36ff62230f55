import { type BuiltApp, launchBuiltApp, type Options } from "./launch-app";

/** Starts the built app on a free port with its own database. */
export async function startBuiltApp(options: Options = {}): Promise<BuiltApp> {
  const app = await launchBuiltApp(options);
  await app.ready();
  return app;
}
