import { join } from "node:path"
import { folderForTarballs } from "./folder-for-tarballs.js"
import { ROOT } from "./root.js"
import { runWell } from "./run-command.js"

/** A package as it would be published. */
export interface PackedPackage {
  readonly name: string
  readonly version: string
  /** The folder that it comes from, as `packages/cli`. */
  readonly folder: string
  readonly tarball: string
  /** The paths in the tarball, in order. */
  readonly files: readonly string[]
}

export const PNPM = join(ROOT, "node_modules", "pnpm", "bin", "pnpm.cjs")

let packing: Promise<readonly PackedPackage[]> | undefined

/** Every public package, packed once for all tests of the run. They have to be built. */
export function packedPackages(): Promise<readonly PackedPackage[]> {
  packing ??= pack()
  return packing
}

async function pack(): Promise<readonly PackedPackage[]> {
  const folder = await folderForTarballs()
  const args = [PNPM, "-r", "--filter", "./packages/*", "pack", "--json", "--pack-destination", folder]
  const { stdout } = await runWell(process.execPath, args, { cwd: ROOT })
  const packed = JSON.parse(stdout) as { name: string; version: string; filename: string; files: { path: string }[] }[]
  return packed
    .map(({ name, version, filename, files }) => ({
      name,
      version,
      folder: `packages/${name.replace("@treelog/", "")}`,
      tarball: filename,
      files: files.map(({ path }) => path).sort(),
    }))
    .sort((a, b) => a.name.localeCompare(b.name))
}

export async function packedPackage(name: string): Promise<PackedPackage> {
  const found = (await packedPackages()).find((one) => one.name === name)
  if (!found) throw new Error(`${name} is not one of the published packages`)
  return found
}
