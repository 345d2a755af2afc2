import { readFile } from "node:fs/promises"
import { unpack } from "@publint/pack"
import type { PackedPackage } from "./packed-packages.js"

export async function readTarball({ tarball }: PackedPackage): Promise<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = await readFile(tarball)
  return (buffer as ArrayBuffer).slice(byteOffset, byteOffset + byteLength)
}

/** The texts of the files in a tarball, by their paths in the package. */
export async function textsInTarball(packed: PackedPackage): Promise<ReadonlyMap<string, string>> {
  const { files, rootDir } = await unpack(await readTarball(packed))
  const decoder = new TextDecoder()
  return new Map(files.map(({ name, data }) => [name.slice(rootDir.length + 1), decoder.decode(data)]))
}

/** Chunks are named after what is in them, so their names change with it; they alone have a hyphen, but for a file that has a version. */
export const withoutHashes = (paths: readonly string[]) =>
  [
    ...new Set(
      paths.map((path) =>
        path
          .replace(/-thread-\d+\./, "-thread-VERSION.")
          .replace(/^dist\/[^/]+-[\w-]{8}\.(m?js|d\.ts)/, "dist/CHUNK.$1"),
      ),
    ),
  ].sort()
