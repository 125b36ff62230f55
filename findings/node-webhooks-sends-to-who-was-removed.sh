#!/usr/bin/env bash
# node-webhooks 1.4.2 from npm, which sends events to the addresses that were added for them.
# Expected: as its documentation says, remove takes away "only one single url attached to the selected webHook", after
# which that event is not sent to it any more. An address may be added for several events, as its example of the stored
# file has it.
# Really: what sends to an address is kept by the address alone, so that adding it for a second event replaces what was
# added for the first one. remove finds the second one there, which does not belong to the first event: it answers true,
# the stored file has the address no more, and it still gets the event, until the process ends. Removing it for the
# second event as well fails with an error of another package, "removeListener only takes instances of Function", and is
# stored all the same. With one event for each address, removal is right.
# What follows: a partner that was removed still learns who was paid what, and nothing in the file says so. Start the
# process again after each removal. Receivers of this service's webhooks are read from the database for each event
# (docs/webhooks.md).
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts node-webhooks@1.4.2 >/dev/null
cat >send.cjs <<'JS'
const { createServer } = require("node:http");
const WebHooks = require("node-webhooks");

let got = [];
const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  got.push(JSON.parse(body).event);
  response.end();
});
server.listen(0, "127.0.0.1", async () => {
  const url = `http://127.0.0.1:${server.address().port}/hook`;
  const remove = (hooks, event) => hooks.remove(event, url).catch((error) => error.message);
  for (const events of [["paid"], ["paid", "cancelled"]]) {
    const hooks = new WebHooks({ db: {} });
    for (const event of events) await hooks.add(event, url);
    console.log(`added for ${events.join(" and ")}; removed for paid: ${await remove(hooks, "paid")}`);
    got = [];
    hooks.trigger("paid", { event: "paid" });
    await new Promise((resolve) => setTimeout(resolve, 500));
    console.log(`  stored ${JSON.stringify(await hooks.getDB()).replace(url, "url")}, got ${got.join() || "nothing"}`);
    if (events[1]) console.log(`  removed for cancelled: ${await remove(hooks, "cancelled")}`);
  }
  process.exit(0);
});
JS
seen=$(node send.cjs 2>/dev/null)
wanted='added for paid; removed for paid: true
  stored {"paid":[]}, got nothing
added for paid and cancelled; removed for paid: true
  stored {"paid":[],"cancelled":["url"]}, got paid
  removed for cancelled: removeListener only takes instances of Function'
[ "$seen" = "$wanted" ] || { printf 'The receiver had\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: node-webhooks still sends an event to an address that was removed for it"
