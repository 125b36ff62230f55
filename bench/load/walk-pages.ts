import type { LoadCaller } from "./load-plan";

const PAGE = 200;

/** The cursor after `pages` pages of 200, or the last cursor. */
export async function walkTo(url: string, caller: LoadCaller, pages: number): Promise<string> {
  let cursor: string | null = null;
  for (let page = 0; page < Math.max(1, pages); page++) {
    const after: string = cursor ? `&cursor=${cursor}` : "";
    const reply = await fetch(
      `${url}/v1/contracts/${caller.contractAddress}/batches?limit=${page === 0 ? 1 : PAGE}${after}`,
      {
        headers: { Authorization: `Bearer ${caller.token}` },
      },
    );
    const body = (await reply.json()) as { cursor: string | null };
    if (reply.status !== 200) throw new Error(`a page could not be read: ${JSON.stringify(body)}`);
    if (body.cursor === null) break;
    cursor = body.cursor;
  }
  if (cursor === null) throw new Error("there is only one page");
  return cursor;
}
