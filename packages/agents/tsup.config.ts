import { defineConfig } from "tsup"
import { forNode, output } from "../../tsup.base.js"

export default defineConfig({
  ...forNode,
  ...output({ index: "src/index.ts", kit: "src/kit.ts", places: "src/places.ts", testing: "src/testing.ts" }),
})
