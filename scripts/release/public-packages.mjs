import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** The manifests of the packages that are published. */
export function publicPackages(tree) {
  const folder = join(tree, "packages")
  return readdirSync(folder)
    .map((name) => JSON.parse(readFileSync(join(folder, name, "package.json"), "utf8")))
    .filter((manifest) => !manifest.private)
}

export function versionOf(tree) {
  const versions = new Set(publicPackages(tree).map(({ version }) => version))
  if (versions.size === 1) return [...versions][0]
  throw new Error(
    `The packages have several versions: ${[...versions].join(", ")}. See "fixed" in .changeset/config.json.`,
  )
}
