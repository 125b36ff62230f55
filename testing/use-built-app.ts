import { afterAll, beforeAll } from "vitest";
import { startBuiltApp } from "./built-app";
import type { BuiltApp, Options } from "./launch-app";

/** The built app for all tests of a file or block. Only its hooks and tests can use it. */
export function useBuiltApp(options: Options = {}): BuiltApp {
  const app = {} as BuiltApp;
  beforeAll(async () => {
    Object.assign(app, await startBuiltApp(options));
  });
  afterAll(() => app.stop?.());
  return app;
}
