import { fileURLToPath } from "node:url"
import { defaultClientConditions, defineConfig } from "vite"
import { oneFile } from "./build/one-file.js"

const PAGE = fileURLToPath(new URL("src/page", import.meta.url))

export default defineConfig({
  root: PAGE,
  base: "./",
  plugins: [oneFile()],
  resolve: { conditions: ["@treelog/source", ...defaultClientConditions] },
  // In tests, too, as it is shipped: without the paths of sources.
  esbuild: { jsx: "automatic", jsxDev: false, jsxImportSource: "preact", legalComments: "inline" },
  build: {
    outDir: fileURLToPath(new URL("dist/page", import.meta.url)),
    emptyOutDir: true,
    target: "es2022",
    cssCodeSplit: false,
    modulePreload: false,
    assetsInlineLimit: Number.POSITIVE_INFINITY,
    reportCompressedSize: false,
    // A script that is not a module runs while the page behind it still comes.
    rollupOptions: { output: { format: "iife", inlineDynamicImports: true } },
  },
})
