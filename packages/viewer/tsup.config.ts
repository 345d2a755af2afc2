import { defineConfig } from "tsup"
import { forNode, output, paths } from "../../tsup.base.js"

const entry = { index: "src/index.ts", routes: "src/routes.ts" }

export default defineConfig({
  ...forNode,
  entry,
  // Vite builds the parts; their types are made here.
  ...output({
    entry: { ...entry, "parts/index": "src/page/parts/index.ts" },
    compilerOptions: { paths, jsx: "react-jsx", jsxImportSource: "preact", lib: ["ES2023", "DOM", "DOM.Iterable"] },
  }),
})
