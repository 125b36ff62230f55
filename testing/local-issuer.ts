import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import Provider from "oidc-provider";
import { listenLocally, stopServer } from "./local-server";

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
