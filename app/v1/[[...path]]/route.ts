import { handleRest } from "@/server/rest/handler";

export const dynamic = "force-dynamic";

const handle = (request: Request) => handleRest(request);

export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
  handle as PUT,
};
