import { defineConfig } from "tsup"
import { forNode, withTypes } from "../../tsup.base.js"

const entry = { index: "src/index.ts", routes: "src/routes.ts" }
const { dts } = forNode

export default defineConfig({
  ...forNode,
  entry,
  // Vite builds the parts; their types are made here.
  dts: withTypes && {
    ...(dts as object),
    entry: { ...entry, "parts/index": "src/page/parts/index.ts" },
    compilerOptions: {
      ...(dts as { compilerOptions: object }).compilerOptions,
      jsx: "react-jsx",
      jsxImportSource: "preact",
      lib: ["ES2023", "DOM", "DOM.Iterable"],
    },
  },
})
