import { defineConfig } from "tsup"
import { forNode, output } from "../../tsup.base.js"

// Vite builds the parts; their types are made here.
const entryPoints = output(
  { index: "src/index.ts", routes: "src/routes.ts" },
  { "parts/index": "src/page/parts/index.ts" },
)

export default defineConfig({ ...forNode, ...entryPoints })
