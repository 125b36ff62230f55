import { createLoader, createSerializer, parseAsStringLiteral } from "nuqs/server";
import { ALERT_STATES } from "@/server/alerts/kinds";

export const inboxParams = { state: parseAsStringLiteral(ALERT_STATES).withDefault("open") };

export const loadInboxParams = createLoader(inboxParams);
export const inboxQuery = createSerializer(inboxParams);
