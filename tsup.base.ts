/** The script `types` makes the declarations alone, which only publishing needs and which take most of the time. */
const isTypes = process.env.npm_lifecycle_event === "types"

/** What the two scripts differ in, for options of the declarations. `clean` would remove what the other made. */
export const output = (dts: object) => ({ dts: isTypes && { ...dts, only: true as const }, clean: !isTypes })

/** Private, and built into the packages that use them. */
const SHARED = ["agent-files", "fs", "sqlite", "text"]

/** Where their types are, from the folder of a package: what is found in `node_modules` would not be bundled. */
export const paths = Object.fromEntries(
  SHARED.map((name) => [`@treelog-internal/${name}`, [`../../internal/${name}/src/index.ts`]]),
)

/** How packages for Node are built; the core has a way of its own. */
export const forNode = {
  entry: { index: "src/index.ts" },
  format: "esm" as const,
  platform: "node" as const,
  target: "node20" as const,
  ...output({ compilerOptions: { paths } }),
  noExternal: SHARED.map((name) => `@treelog-internal/${name}`),
  sourcemap: true,
  splitting: true,
  removeNodeProtocol: false,
}
