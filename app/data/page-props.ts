import type { SearchParams } from "nuqs/server";
import type { ReactNode } from "react";

/** What Next gives a route, by the parameters of its path. */
export interface RouteProps<Name extends string> {
  params: Promise<Record<Name, string>>;
}

export interface LayoutProps<Name extends string> extends RouteProps<Name> {
  children: ReactNode;
}

export interface PageProps<Name extends string = never> extends RouteProps<Name> {
  searchParams: Promise<SearchParams>;
}
