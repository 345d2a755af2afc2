import { fileURLToPath } from "node:url"
import { defaultClientConditions, defineConfig, type Plugin, transformWithEsbuild } from "vite"
import { licencesFile } from "./build/licences.js"
import { partStyles } from "./build/part-styles.js"

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

/** The parts for pages of others: modules that browsers load as they are, with everything in them. */
export default defineConfig({
  root: path("src/page/parts"),
  plugins: [licencesFile(), minifyModules()],
  resolve: { conditions: ["@treelog/source", ...defaultClientConditions] },
  // In tests, too, as it is shipped: without the paths of sources.
  esbuild: { jsx: "automatic", jsxDev: false, jsxImportSource: "preact", legalComments: "inline" },
  css: { postcss: { plugins: [partStyles()] } },
  build: {
    outDir: path("dist/parts"),
    // The types are there already.
    emptyOutDir: false,
    target: "es2022",
    minify: "esbuild",
    reportCompressedSize: false,
    lib: {
      // Separate modules: a page with only the list does not load the transcript.
      entry: {
        index: path("src/page/parts/index.ts"),
        "store-parts": path("src/page/parts/store-parts.tsx"),
        "session-parts": path("src/page/parts/session-parts.tsx"),
        "session-view": path("src/page/parts/session-view.ts"),
      },
      formats: ["es"],
    },
    rollupOptions: { output: { chunkFileNames: "shared-[name].js" } },
  },
})

/** Minifies the modules of a library, in which Vite leaves white space and comments. Licences stay. */
function minifyModules(): Plugin {
  return {
    name: "treelog:minify-modules",
    apply: "build",
    enforce: "post",
    renderChunk: (code, { fileName }) =>
      transformWithEsbuild(code, fileName, { minify: true, target: "es2022", legalComments: "inline" }),
  }
}
