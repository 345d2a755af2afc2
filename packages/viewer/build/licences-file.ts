import type { Plugin } from "vite"
import { licencesOf } from "./licences.js"

/** Writes the licences of the packages that are built in. */
export function licencesFile(): Plugin {
  return {
    name: "treelog:licences",
    apply: "build",
    generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((file) => (file.type === "chunk" ? file.moduleIds : []))
      this.emitFile({ type: "asset", fileName: "licences.txt", source: licencesOf(modules) })
    },
  }
}
