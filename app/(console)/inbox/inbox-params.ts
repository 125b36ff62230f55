import { createLoader, createSerializer, parseAsStringLiteral } from "nuqs/server";

export const inboxParams = { state: parseAsStringLiteral(["open", "ended"] as const).withDefault("open") };

export const loadInboxParams = createLoader(inboxParams);
export const inboxQuery = createSerializer(inboxParams);
