import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Companions } from "@treelog/session-core/testing"
import { artifactsFolder } from "@treelog/storage-fs"

/** The artifacts of sessions in files, for the contract tests. */
export const companions: Companions = { write: writeCompanion, read: readCompanion }

async function writeCompanion(key: string, name: string, bytes: Uint8Array): Promise<void> {
  const folder = artifactsFolder(key) ?? ""
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, name), bytes)
}

function readCompanion(key: string, name: string): Promise<Uint8Array | undefined> {
  return readFile(join(artifactsFolder(key) ?? "", name)).catch(() => undefined)
}
