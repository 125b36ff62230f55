"use client";
import { SearchButton } from "@/app/ui/search-button";

const loadPalette = () => import("./palette").then((module) => module.Palette);

export const ConsoleSearch = () => <SearchButton load={loadPalette} />;
