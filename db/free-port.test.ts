import net from "node:net";
import { afterAll, expect, test } from "vitest";
import { bindPort, freePort } from "./embedded-cluster";

const taken: net.Server[] = [];
afterAll(() => {
  for (const server of taken) server.close();
});

test("a free port is below the range of outgoing connections, and can be bound", async () => {
  for (let times = 0; times < 5; times++) {
    const port = await freePort();
    expect(port).toBeGreaterThanOrEqual(20_000);
    expect(port).toBeLessThan(32_768);
    const server = net.createServer();
    taken.push(server);
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject).listen(port, "127.0.0.1", resolve);
    });
    expect(await bindPort(port)).toBeNull();
  }
});
