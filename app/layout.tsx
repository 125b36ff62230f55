import { GeistMono } from "geist/font/mono";
import { GeistSans } from "geist/font/sans";
import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import "./globals.css";
import "./print.css";
import { defaultZone, requestZone } from "./data/request-zone";
import { Providers } from "./providers";
import { ThemeScript } from "./ui/theme";

export const metadata: Metadata = {
  title: { default: "Point transfer batches", template: "%s · Point transfer batches" },
  description: "Monitor, review and stop batches of point transfers.",
  robots: { index: false, follow: false },
};

export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#fafafa" },
    { media: "(prefers-color-scheme: dark)", color: "#09090b" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const [requestHeaders, zone] = await Promise.all([headers(), requestZone()]);
  return (
    <html lang="en" suppressHydrationWarning className={`${GeistSans.variable} ${GeistMono.variable}`}>
      <head>
        <ThemeScript nonce={requestHeaders.get("x-nonce") ?? undefined} />
      </head>
      <body>
        <Providers initialZone={zone} defaultZone={defaultZone()} paintedAt={new Date().toISOString()}>
          {children}
        </Providers>
      </body>
    </html>
  );
}
