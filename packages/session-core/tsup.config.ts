import { defineConfig } from "tsup"
import { inOneFile, output } from "../../tsup.base.js"

export default defineConfig({
  ...output({
    index: "src/index.ts",
    compaction: "src/compaction.ts",
    maintenance: "src/maintenance.ts",
    messages: "src/messages.ts",
    adapter: "src/adapter.ts",
    search: "src/search.ts",
    sync: "src/sync.ts",
    "testing/index": "src/testing/index.ts",
    "schema/index": "src/schema.ts",
    "json/index": "src/json.ts",
  }),
  ...inOneFile(
    ["src/index.ts", "src/adapter.ts"],
    /src\/(index|adapter|compaction|maintenance|messages|search|sync|testing\/index)\.ts$/,
  ),
  format: ["esm"],
  platform: "neutral",
  target: "es2022",
  sourcemap: true,
  splitting: true,
})
