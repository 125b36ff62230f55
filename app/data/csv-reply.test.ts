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
const browser = (cookie: string) => new Request("http://console", { headers: { cookie } });
const download = (failsAt: number) =>
  downloadOrProblem((requestId) =>
    csvReply({ n: ({ n }) => n }, pages(failsAt), {
      name: "n.csv",
      requestId,
      request: browser("csv=plain"),
    }),
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
  expect(
    await (
      await csvReply({ n: () => "" }, [], { name: "n.csv", requestId: "r", request: browser("csv=plain") })
    ).text(),
  ).toBe("n\r\n");
});

test.each([
  ["", "\uFEFF"],
  ["zone=UTC; csv=excel", "\uFEFF"],
  ["csv=plain; zone=UTC", ""],
  ["xcsv=plain", "\uFEFF"],
])("a file is readable in Excel, unless the user chose plain UTF-8: %j", async (cookie, start) => {
  const reply = await csvReply({ label: () => "Zürich – März 東京" }, [[{}]], {
    name: "n.csv",
    requestId: "r",
    request: browser(cookie),
  });
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(await reply.arrayBuffer());
  expect(text).toBe(`${start}label\r\nZürich – März 東京\r\n`);
});
