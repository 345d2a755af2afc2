import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Plugin } from "vite"

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

/** The licences of the packages that modules come from, as they ask to be passed on. */
export function licencesOf(modules: readonly string[]): string {
  // What a plugin makes of a module has a NUL in front of its path.
  const paths = modules.map((id) => id.replace("\0", ""))
  const folders = new Set(
    paths.flatMap((path) => /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(path)?.[1] ?? []),
  )
  const licences = [...folders].map((folder) => licenceIn(folder)).sort()
  return `This part of @treelog/viewer has these packages in it.\n\n${licences.join("\n\n")}\n`
}

function licenceIn(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one))
  if (!file) throw new Error(`${name} has no licence that could be passed on.`)
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf8").trim()}`
}
