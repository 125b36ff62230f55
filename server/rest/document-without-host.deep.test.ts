import { coversDocument } from "@/testing/document/covers-document";

// Teams on Vercel have no host.
coversDocument("next");
