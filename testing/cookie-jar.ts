const REDIRECTS_MAX = 12;

/** Requests that keep cookies per host, as a browser does, and follow redirects with them. */
export class CookieJar {
  private readonly cookies = new Map<string, Map<string, string>>();

  /** One request; does not follow redirects. */
  async fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const own = this.cookies.get(new URL(url).host) ?? new Map<string, string>();
    this.cookies.set(new URL(url).host, own);
    const headers = new Headers(init.headers);
    headers.set("Cookie", [...own].map(([name, value]) => `${name}=${value}`).join("; "));
    const reply = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const line of reply.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "" || /expires=Thu, 01 Jan 1970/i.test(line)) own.delete(name);
      else own.set(name, value);
    }
    return reply;
  }

  /** Follows redirects to the final page. */
  async follow(url: string): Promise<URL> {
    let at = new URL(url);
    for (let hops = 0; hops < REDIRECTS_MAX; hops++) {
      const next = (await this.fetch(at.href)).headers.get("Location");
      if (!next) return at;
      at = new URL(next, at);
    }
    throw new Error(`more than ${REDIRECTS_MAX} redirects, the last to ${at.href}`);
  }
}
