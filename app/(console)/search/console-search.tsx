"use client";
import { SearchButton } from "@/app/ui/search-button";

const load = () => import("./palette").then((module) => module.Palette);

export const ConsoleSearch = () => <SearchButton load={load} />;
