import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import Provider from "oidc-provider";
import { listenLocally, stopServer } from "./local-servers";

export interface LocalIssuer {
  environment: Record<string, string>;
  /** Signs in there from now on, without a prompt. */
  person: { email: string; email_verified?: boolean };
  /** Registers the app's callback URL with the issuer. */
  serve(redirectUri: string): Promise<void>;
  stop(): Promise<void>;
}

type Answer = (request: IncomingMessage, reply: ServerResponse) => void;

const CLIENT = { client_id: "console", client_secret: "a-secret-of-this-test-run" };

/** An OpenID Connect issuer on a free port. */
export async function startLocalIssuer(): Promise<LocalIssuer> {
  let answer: Answer = (_request, reply) => {
    reply.writeHead(503).end();
  };
  const server = createServer((request, reply) => answer(request, reply));
  const url = `http://127.0.0.1:${await listenLocally(server)}`;
  const issuer: LocalIssuer = {
    environment: {
      OIDC_ISSUER: url,
      OIDC_CLIENT_ID: CLIENT.client_id,
      OIDC_CLIENT_SECRET: CLIENT.client_secret,
      OIDC_NAME: "Local issuer",
    },
    person: { email: "nobody@example.com", email_verified: true },
    async serve(redirectUri) {
      const provider = makeProvider(url, redirectUri, issuer);
      const oidc = provider.callback();
      answer = (request, reply) =>
        request.url?.startsWith("/interaction/")
          ? void letIn(provider, request, reply)
          : oidc(request, reply);
    },
    stop: () => stopServer(server),
  };
  return issuer;
}

function makeProvider(url: string, redirectUri: string, issuer: LocalIssuer): Provider {
  const provider = new Provider(url, {
    clients: [{ ...CLIENT, redirect_uris: [redirectUri] }],
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId, ...issuer.person }),
    }),
    async loadExistingGrant({
      oidc,
    }: {
      oidc: { client: { clientId: string }; session: { accountId: string } };
    }) {
      const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope("openid email");
      await grant.save();
      return grant;
    },
  });
  return provider;
}

async function letIn(provider: Provider, request: IncomingMessage, reply: ServerResponse): Promise<void> {
  await provider.interactionDetails(request, reply);
  await provider.interactionFinished(request, reply, { login: { accountId: "somebody" } });
}

const REDIRECTS_MAX = 12;

/** Requests that keep cookies per host, as a browser does, and follow redirects with them. */
export class CookieJar {
  private readonly cookies = new Map<string, Map<string, string>>();

  /** One request; does not follow redirects. */
  async fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const { host } = new URL(url);
    const own = this.cookies.get(host) ?? new Map<string, string>();
    this.cookies.set(host, own);
    const headers = new Headers(init.headers);
    headers.set("Cookie", [...own].map((pair) => pair.join("=")).join("; "));
    const reply = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const line of reply.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "" || /expires=Thu, 01 Jan 1970/i.test(line)) own.delete(name);
      else own.set(name, value);
    }
    return reply;
  }

  /** Follows redirects to the final page. */
  async follow(url: string, hopsMax = REDIRECTS_MAX): Promise<URL> {
    const next = (await this.fetch(url)).headers.get("Location");
    if (!next) return new URL(url);
    if (hopsMax === 0) throw new Error(`more than ${REDIRECTS_MAX} redirects, the last to ${url}`);
    return await this.follow(new URL(next, url).href, hopsMax - 1);
  }
}
