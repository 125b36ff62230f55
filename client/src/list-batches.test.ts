import { expect, test } from "vitest";
import { createClient } from "./create-client.ts";
import { failureOf, ok, type Step, scriptedFetch } from "./testing/scripted-fetch.ts";

const page = (ids: string[], cursor: string | null) => ok({ batch: ids.map((id) => ({ id })), cursor });

function listOf(...steps: Step[]) {
  const { fetch, requests } = scriptedFetch(...steps);
  const client = createClient({ baseUrl: "http://service", contractAddress: "0xC0", fetch, retries: 0 });
  const all = async (batches: AsyncIterable<{ id: string }>) => {
    const ids: string[] = [];
    for await (const { id } of batches) ids.push(id);
    return ids;
  };
  return { client, requests, all };
}

test("every page repeats the query and adds the previous page's cursor", async () => {
  const { client, requests, all } = listOf(page(["a", "b"], "k1"), page(["c"], "k2"), page([], null));
  expect(await all(client.iterateBatches({ status: "PENDING", limit: 2 }))).toEqual(["a", "b", "c"]);
  expect(requests.map(({ url }) => url.split("?")[1])).toEqual([
    "status=PENDING&limit=2",
    "status=PENDING&limit=2&cursor=k1",
    "status=PENDING&limit=2&cursor=k2",
  ]);
});

test("a list whose cursor repeats ends with an error", async () => {
  const { client, all } = listOf(page(["a"], "k1"), page(["a"], "k1"));
  expect(await failureOf(all(client.iterateBatches()))).toMatchObject({ name: "UnexpectedReply" });
});
