import { afterAll, expect, test, vi } from "vitest";
import { log } from "@/server/kernel/log";
import { DomainError } from "@/server/kernel/values/problems";
import { csvReply, downloadOrProblem } from "./csv-reply";

vi.mock("server-only", () => ({}));
const logged = vi.spyOn(log(), "error").mockReturnValue();
afterAll(() => logged.mockRestore());

async function* pages(failsAt: number) {
  for (let page = 0; page < 3; page++) {
    if (page === failsAt) throw new DomainError("unavailable", "The database is away.");
    yield [{ n: `${page}` }];
  }
}
const download = (failsAt: number) =>
  downloadOrProblem((requestId) =>
    csvReply({ n: ({ n }) => n }, pages(failsAt), { name: "n.csv", requestId }),
  );

test("an export that fails before its first row is a problem, not a file", async () => {
  const reply = await download(0);
  expect([reply.status, reply.headers.get("Content-Disposition")]).toEqual([503, null]);
  expect(await reply.json()).toMatchObject({ code: "unavailable" });
});

test("an export that fails later ends with an error, not as a short file, and is logged with its request id", async () => {
  const reply = await download(2);
  expect(reply.status).toBe(200);
  await expect(reply.text()).rejects.toThrow("The database is away.");
  expect(logged).toHaveBeenLastCalledWith(
    expect.objectContaining({ requestId: reply.headers.get("X-Request-Id") }),
    "a download failed after its first byte",
  );
});

test("an export without rows has its headings, and one with rows has them once", async () => {
  expect(await (await download(-1)).text()).toBe("n\r\n0\r\n1\r\n2\r\n");
  expect(await (await csvReply({ n: () => "" }, [], { name: "n.csv", requestId: "r" })).text()).toBe("n\r\n");
});
