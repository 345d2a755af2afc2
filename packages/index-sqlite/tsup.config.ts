import { defineConfig } from "tsup"
import { forNode } from "../../tsup.base.js"

export default defineConfig({
  ...forNode,
  // tsup leaves out what `dependencies` lists, and forgets the optional ones.
  external: ["better-sqlite3"],
})
