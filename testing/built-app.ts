import { type BuiltApp, launchBuiltApp, type Options } from "./launch-app";

/** Starts the built app on a free port with its own database; with TEST_SHAPE several instances, as `npm run test:cluster` does. */
export async function startBuiltApp(options: Options = {}): Promise<BuiltApp> {
  const shape = process.env.TEST_SHAPE;
  if (shape === "cluster" || shape === "pooled")
    return (await import("./cluster/start-cluster")).startCluster(shape, options);
  const app = await launchBuiltApp(options);
  await app.ready();
  return app;
}
