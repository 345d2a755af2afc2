/** `npm start` builds without the types, which take most of the time. */
export const withTypes = process.env.TREELOG_BUILD_TYPES !== "no"

/** How packages for Node are built; the core has a way of its own. */
export const forNode = {
  entry: { index: "src/index.ts" },
  format: "esm",
  platform: "node",
  target: "node20",
  dts: withTypes,
  sourcemap: true,
  splitting: true,
  removeNodeProtocol: false,
  clean: true,
} as const
