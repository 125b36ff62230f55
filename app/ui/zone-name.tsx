"use client";
import { useTimeZone } from "./time-zone";

/** The zone in which instants are shown. */
export const ZoneName = () => useTimeZone().zone;
