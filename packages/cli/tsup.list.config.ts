import { defineConfig } from "tsup"

/**
 * The list is what people wait for most often: it is one file, with just the code that it runs. Loading the packages whole, and a
 * file for each thing that it shares with other commands, would take longer than making a list.
 */
export default defineConfig({
  entry: { "commands/list": "src/commands/list.ts" },
  format: ["esm"],
  platform: "node",
  target: "node20",
  dts: false,
  sourcemap: true,
  splitting: false,
  removeNodeProtocol: false,
  noExternal: [/^@treelog\/(session-core|storage-fs)$/],
  esbuildOptions: (options) => {
    options.conditions = ["@treelog/source"]
  },
})
