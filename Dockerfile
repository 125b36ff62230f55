# An image with only Node and the built service. It needs DATABASE_URL, AUTH_SECRET and CRON_SECRET at run time and nothing
# at build time, so one image serves any address.
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
# Owned by root, so the user that runs it cannot change it.
COPY --from=build /app ./
USER 10001:10001
EXPOSE 3000
# /livez, not /readyz, because restarting the service does not bring back a database.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/livez`).then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
# No shell or npm in between, so that SIGTERM reaches the service, which then stops in order within 60 seconds.
CMD ["node", "--enable-source-maps", "--max-semi-space-size=64", "dist/host.mjs"]
