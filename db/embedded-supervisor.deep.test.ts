import { afterAll, expect, test } from "vitest";
import { cleanEmbedded, embeddedFolder, postmasterOf, query } from "@/testing/embedded-folder";
import { startEmbeddedPostgres } from "./embedded";

afterAll(cleanEmbedded);

test("a server that is killed repeatedly is restarted every time", async () => {
  const dataDir = await embeddedFolder();
  const server = await startEmbeddedPostgres({ dataDir });
  for (let kill = 1; kill <= 12; kill++) {
    const pid = postmasterOf(dataDir);
    process.kill(pid, "SIGKILL");
    const isBack = () =>
      query(server.url, "select 1 as one").then(
        () => postmasterOf(dataDir) !== pid,
        () => false,
      );
    await expect.poll(isBack, { timeout: 10_000, message: `after kill ${kill}` }).toBe(true);
  }
  await server.stop();
}, 90_000);
