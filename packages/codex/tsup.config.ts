import { defineConfig } from "tsup"
import { forNode } from "../../tsup.base.js"

// Nothing of that driver is used: the caller passes one, or the runtime includes one.
export default defineConfig({ ...forNode, external: ["better-sqlite3"] })
