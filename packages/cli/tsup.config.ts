import { defineConfig } from "tsup"
import { forNode } from "../../tsup.base.js"

export default defineConfig({
  ...forNode,
  entry: { main: "src/main.ts" },
  dts: false,
  // Made by tsup.quick.config.ts, into the folder that the imports say.
  external: ["./commands/list.js", "./commands/context.js"],
  esbuildOptions: withoutSpace,
})

/** A third of what a short command takes is that its code is read. Names stay, for traces. */
export function withoutSpace(options: { minifyWhitespace?: boolean }): void {
  options.minifyWhitespace = true
}
