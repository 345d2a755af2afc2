import { defineConfig } from "tsup"
import { forNode, inOneFile, output } from "../../tsup.base.js"

export default defineConfig({
  ...forNode,
  ...output({
    index: "src/index.ts",
    "claude-code": "src/claude-code/index.ts",
    codex: "src/codex/index.ts",
    databases: "src/databases.ts",
    kit: "src/kit.ts",
    places: "src/places.ts",
    testing: "src/testing.ts",
  }),
  ...inOneFile(["src/places.ts"], /agents\/src\/(index|databases|kit|testing|[\w-]+\/agent)\.ts$/),
  // Nothing of that driver is used: the caller passes one, or the runtime includes one.
  external: ["better-sqlite3"],
})
