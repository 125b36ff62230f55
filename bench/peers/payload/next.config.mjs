import { fileURLToPath } from "node:url";
import { withPayload } from "@payloadcms/next/withPayload";

const root = fileURLToPath(new URL(".", import.meta.url));

export default withPayload({
  poweredByHeader: false,
  compress: false,
  outputFileTracingRoot: root,
  turbopack: { root },
});
