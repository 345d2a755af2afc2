import { defineConfig } from "tsup"
import { forNode } from "../../tsup.base.js"
import { withoutSpace } from "./tsup.config.js"

/**
 * The list and the context are what people and scripts wait for most often: each is one file, with just the code that it runs.
 * Loading the packages whole, and a file for each thing that it shares with other commands, would take longer than the work.
 */
export default defineConfig({
  ...forNode,
  entry: { "commands/list": "src/commands/list.ts", "commands/context": "src/commands/context.ts" },
  dts: false,
  splitting: false,
  // A map would be three times as large as the code, and hold what the packages' own maps have.
  sourcemap: false,
  // What tsup.config.ts made stays.
  clean: false,
  noExternal: [/^@treelog\/(session-core|storage-fs|blob-store)$/],
  esbuildOptions: (options) => {
    withoutSpace(options)
    options.conditions = ["@treelog/source"]
  },
})
