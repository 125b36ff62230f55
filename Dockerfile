# The service as an image: no npm, no sources, no compiler in it. It needs DATABASE_URL, AUTH_SECRET and CRON_SECRET when it runs,
# nothing when it is built: one image serves any address.
ARG NODE_IMAGE=docker.io/library/node:20-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY package.json package-lock.json ./
COPY patches ./patches
RUN npm install --no-audit --no-fund
COPY . .
RUN npm run standalone -- /app

FROM ${NODE_IMAGE}
ENV NODE_ENV=production
WORKDIR /app
# Owned by root and read-only for who runs it.
COPY --from=build /app ./
USER 10001:10001
EXPOSE 3000
# /livez, not /readyz: a database that is away is no reason to restart the service.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/livez`).then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
# Without a shell or npm between, so that SIGTERM reaches the service, which then ends in order within 60 seconds.
CMD ["node", "--enable-source-maps", "--max-semi-space-size=64", "dist/host.mjs"]
