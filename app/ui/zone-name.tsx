"use client";
import { useTimeZone } from "./time-zone";

/** The time zone of the page. */
export const ZoneName = () => useTimeZone().zone;
