/** Signs in like the sign-in page. @returns next-auth's redirect and cookies */
export async function signIn(
  appUrl: string,
  email: string,
  password: string,
): Promise<{ url: string; cookie: string }> {
  const start = await fetch(`${appUrl}/api/auth/csrf`);
  const { csrfToken } = (await start.json()) as { csrfToken: string };
  const reply = await fetch(`${appUrl}/api/auth/callback/credentials`, {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded", Cookie: cookiesOf(start) },
    body: new URLSearchParams({ csrfToken, email, password, json: "true" }),
    redirect: "manual",
  });
  const { url = "" } = (await reply.json().catch(() => ({}))) as { url?: string };
  return { url, cookie: cookiesOf(reply) };
}

const cookiesOf = (reply: Response) =>
  reply.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
