import { type Plugin, transformWithEsbuild } from "vite"

/** Minifies the modules of a library, in which Vite leaves white space and comments. Licences stay. */
export function minifyModules(): Plugin {
  return {
    name: "treelog:minify-modules",
    apply: "build",
    enforce: "post",
    renderChunk: (code, { fileName }) =>
      transformWithEsbuild(code, fileName, { minify: true, target: "es2022", legalComments: "inline" }),
  }
}
