/** `npm start` builds without the types, which take most of the time. */
export const withTypes = process.env.TREELOG_BUILD_TYPES !== "no"

/** Private, and built into the packages that use them. */
const SHARED = ["@treelog-internal/fs", "@treelog-internal/sqlite", "@treelog-internal/text"]

/** How packages for Node are built; the core has a way of its own. */
export const forNode = {
  entry: { index: "src/index.ts" },
  format: "esm" as const,
  platform: "node" as const,
  target: "node20" as const,
  dts: withTypes,
  noExternal: SHARED,
  sourcemap: true,
  splitting: true,
  removeNodeProtocol: false,
  clean: true,
}
