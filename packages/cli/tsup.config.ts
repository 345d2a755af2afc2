import { defineConfig } from "tsup"

export default defineConfig({
  entry: { main: "src/main.ts" },
  format: ["esm"],
  platform: "node",
  target: "node20",
  dts: false,
  sourcemap: true,
  splitting: true,
  removeNodeProtocol: false,
  clean: true,
  // Made by tsup.list.config.ts, into the folder that the import says.
  external: ["./commands/list.js"],
})
