import type { SearchParams } from "nuqs/server";

/** What Next gives a layout or a route, by the parameters of its path. */
export interface RouteProps<Name extends string> {
  params: Promise<Record<Name, string>>;
}

export interface PageProps<Name extends string = never> extends RouteProps<Name> {
  searchParams: Promise<SearchParams>;
}
