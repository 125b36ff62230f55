#!/usr/bin/env bash
# openapi-client-axios 7.9.1 from npm, a client that is made of an OpenAPI document when it starts, with axios 1.12.2.
# Expected: a list is sent as the document says: by default kind=a&kind=b, and with explode false status=A,B. Its
# documentation has client.searchPets({ ids: [1, 2, 3] }) as an example, and its getRequestConfigForOperation answers an
# address with just that.
# Really: that address is not what is asked for. The parameters are given to axios, which has a form of its own for
# lists: kind[]=a&kind[]=b, whatever the style. And where a parameter is given by itself, as client.getPet(1) in the
# documentation, 0 is undefined: /batches/undefined. Nothing is said. Texts, false, 0 by name and a deepObject are
# right.
# What follows: kind[] is the name of no parameter, and most servers leave out what they do not know, so that who asks
# for what is pending or held gets all. For lists that explode, give axios paramsSerializer: { indexes: null } in
# axiosConfigDefaults. openapi.json has no lists in queries.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts openapi-client-axios@7.9.1 \
  axios@1.12.2 >/dev/null
cat >ask.cjs <<'JS'
const { createServer } = require("node:http");
const { OpenAPIClientAxios } = require("openapi-client-axios");

let asked;
const server = createServer((request, response) => {
  asked = request.url;
  response.setHeader("content-type", "application/json").end("{}");
});
server.listen(0, "127.0.0.1", async () => {
  const list = { type: "array", items: { type: "string" } };
  const responses = { 200: { description: "OK" } };
  const parameters = [
    { in: "query", name: "kind", schema: list },
    { in: "query", name: "status", style: "form", explode: false, schema: list },
    { in: "query", name: "held", schema: { type: "boolean" } },
    { in: "query", name: "metadata", style: "deepObject", explode: true, schema: { type: "object" } },
  ];
  const id = { in: "path", name: "id", required: true, schema: { type: "integer" } };
  const api = new OpenAPIClientAxios({
    definition: {
      openapi: "3.0.3",
      info: { title: "points", version: "1" },
      servers: [{ url: `http://127.0.0.1:${server.address().port}` }],
      paths: {
        "/batches": { get: { operationId: "list", parameters, responses } },
        "/batches/{id}": { get: { operationId: "show", parameters: [id], responses } },
      },
    },
  });
  const client = await api.init();
  const ask = async (operation, argument) => {
    await client[operation](argument);
    const { url } = api.getRequestConfigForOperation(operation, [argument]);
    console.log(`${decodeURIComponent(asked)} | ${decodeURIComponent(url.replace(/^.*?:\d+/, ""))}`);
  };
  await ask("list", { kind: ["a", "b"] });
  await ask("list", { status: ["PENDING", "HELD"] });
  await ask("list", { held: false });
  await ask("list", { metadata: { campaign: "summer" } });
  await ask("show", { id: 0 });
  await ask("show", 7);
  await ask("show", 0);
  process.exit(0);
});
JS
seen=$(node ask.cjs)
wanted='/batches?kind[]=a&kind[]=b | /batches?kind=a&kind=b
/batches?status[]=PENDING&status[]=HELD | /batches?status=PENDING,HELD
/batches?held=false | /batches?held=false
/batches?metadata[campaign]=summer | /batches?metadata[campaign]=summer
/batches/0 | /batches/0
/batches/7 | /batches/7
/batches/undefined | /batches/undefined'
[ "$seen" = "$wanted" ] || { printf 'It asked for\n%s\ninstead of\n%s\n' "$seen" "$wanted"; exit 1; }
echo "ok: openapi-client-axios asks for kind[]=a&kind[]=b where it is kind=a&kind=b"
