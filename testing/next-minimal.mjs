// Next as Vercel's functions run it: without our host, in its minimal mode, which takes `.rsc` off paths.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { config } = JSON.parse(readFileSync(".next/required-server-files.json", "utf8"));
process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(config);
// What work after a reply is handed to.
const context = { waitUntil: (work) => void work.catch(console.error) };
globalThis[Symbol.for("@next/request-context")] = { get: () => context };
require("next/dist/server/node-environment");
const { default: NextServer } = require("next/dist/server/next-server");

const port = Number(process.env.PORT);
const app = new NextServer({
  ...{ dir: process.cwd(), conf: config, hostname: "127.0.0.1", port },
  ...{ minimalMode: true, customServer: false },
});
createServer(app.getRequestHandler()).listen(port, "127.0.0.1", () => console.log("Ready"));
