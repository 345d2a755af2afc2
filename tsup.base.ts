/** `npm start` builds without the types, which take most of the time. */
export const withTypes = process.env.TREELOG_BUILD_TYPES !== "no"

/** Private, and built into the packages that use them. */
const SHARED = ["agent-files", "fs", "sqlite", "text"]

/** Where their types are, from the folder of a package: what is found in `node_modules` would not be bundled. */
const paths = Object.fromEntries(
  SHARED.map((name) => [`@treelog-internal/${name}`, [`../../internal/${name}/src/index.ts`]]),
)

/** How packages for Node are built; the core has a way of its own. */
export const forNode = {
  entry: { index: "src/index.ts" },
  format: "esm" as const,
  platform: "node" as const,
  target: "node20" as const,
  dts: withTypes && { compilerOptions: { paths } },
  noExternal: SHARED.map((name) => `@treelog-internal/${name}`),
  sourcemap: true,
  splitting: true,
  removeNodeProtocol: false,
  clean: true,
}
