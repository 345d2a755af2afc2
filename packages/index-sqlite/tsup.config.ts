import { defineConfig } from "tsup"
import { forNode } from "../../tsup.base.js"
import { INDEX_VERSION } from "./src/index-version.js"

export default defineConfig({
  ...forNode,
  // The file of the thread has the version: code of another one, bundled into a program, does not find it.
  entry: { index: "src/index.ts", [`write-thread-${INDEX_VERSION}`]: "src/write-thread/write-thread.ts" },
  // tsup leaves out what `dependencies` lists, and forgets the optional ones.
  external: ["better-sqlite3"],
})
