FROM node:26.10.0-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY .patches .patches
# Source maps are a quarter of the packages, and nothing reads them.
RUN npm ci --omit=dev && find node_modules -name "*.map" -delete

FROM node:26.10.0-bookworm-slim
ENV NODE_ENV=production MALLOC_TRIM_THRESHOLD_=131072
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json LICENSE CHANGELOG.md CHANGELOG.it.md ./
COPY src src
COPY sql sql
COPY jobs jobs
COPY models models
# A new volume takes over the owner of the folder it is mounted on.
RUN install -d -o node -g node /bulk
USER node
CMD ["node", "src/main.ts"]
