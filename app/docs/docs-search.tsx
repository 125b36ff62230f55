"use client";
import { SearchButton } from "@/app/ui/search-button";

const load = () => import("./palette").then((module) => module.DocsPalette);

export const DocsSearch = () => <SearchButton load={load} />;
