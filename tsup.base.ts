import type { Options } from "tsup"

/** How packages for Node are built; the core has a way of its own. */
export const forNode = {
  entry: { index: "src/index.ts" },
  format: ["esm"],
  platform: "node",
  target: "node20",
  dts: true,
  sourcemap: true,
  splitting: true,
  removeNodeProtocol: false,
  clean: true,
} satisfies Options
