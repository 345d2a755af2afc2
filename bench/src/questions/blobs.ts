import { createHash, randomFillSync } from "node:crypto"
import { mkdirSync, readdirSync, statSync } from "node:fs"
import { open, readdir, readFile, rename } from "node:fs/promises"
import { join } from "node:path"
import type { Case, Question } from "../question.js"
import { work } from "../work.js"

const COUNT = 1_000
const SIZE = 200_000

/** Different in every process, so that no blob is there already. */
function images(): Uint8Array[] {
  return Array.from({ length: COUNT }, () => randomFillSync(new Uint8Array(SIZE)))
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex")
}

function blobsIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => /^[0-9a-f]{64}$/.test(name))
}

/** The least that stores a blob as durably: hash, write beside, sync, rename, sync the folder. */
async function putBare(folder: string, bytes: Uint8Array): Promise<void> {
  const name = join(folder, hashOf(bytes))
  const file = await open(`${name}.tmp`, "wx", 0o600)
  await file.writeFile(bytes)
  await file.sync()
  await file.close()
  await rename(`${name}.tmp`, name)
  const directory = await open(folder)
  await directory.sync()
  await directory.close()
}

const put: Case = {
  name: "put 1,000 x 200 KB",
  size: COUNT,
  contenders: {
    treelog: async (_, scratch) => {
      const { FileBlobStore } = await import("@treelog/blob-store")
      const blobs = new FileBlobStore(scratch)
      const all = images()
      return work(
        async () => {
          for (const bytes of all) await blobs.put(bytes)
        },
        () => blobsIn(scratch).length,
      )
    },
    bare: async (_, scratch) => {
      const all = images()
      return work(
        async () => {
          for (const bytes of all) await putBare(scratch, bytes)
        },
        () => blobsIn(scratch).length,
      )
    },
  },
  bars: [{ contender: "treelog", beside: "bare", atMost: 1.25 }],
}

const stored = (folder: string): string => join(folder, "blobs")

const get: Case = {
  name: "get 1,000 x 200 KB, verified",
  size: COUNT,
  prepare: (folder) => mkdirSync(stored(folder)),
  contenders: {
    treelog: async (folder) => {
      const { FileBlobStore } = await import("@treelog/blob-store")
      const hashes = await filled(stored(folder))
      const blobs = new FileBlobStore(stored(folder))
      return work(async () => {
        let bytes = 0
        for (const hash of hashes) bytes += (await blobs.get(hash))?.length ?? 0
        return bytes
      }, String)
    },
    bare: async (folder) => {
      const hashes = await filled(stored(folder))
      return work(async () => {
        let bytes = 0
        for (const hash of hashes) {
          const found = await readFile(join(stored(folder), hash))
          if (hashOf(found) !== hash) throw new Error(`Blob ${hash} is damaged.`)
          bytes += found.length
        }
        return bytes
      }, String)
    },
  },
  bars: [{ contender: "treelog", beside: "bare", atMost: 1.25 }],
}

/** The files of blobs by their inodes: a file that is written again gets another one. */
function inodesIn(folder: string): Set<bigint> {
  return new Set(blobsIn(folder).map((name) => statSync(join(folder, name), { bigint: true }).ino))
}

/** Blobs that are there already are not written again. */
const putAgain: Case = {
  name: "put 1,000 x 200 KB that are known",
  size: COUNT,
  contenders: {
    treelog: async (_, scratch) => {
      const { FileBlobStore } = await import("@treelog/blob-store")
      const blobs = new FileBlobStore(scratch)
      const all = images()
      for (const bytes of all) await blobs.put(bytes)
      const before = inodesIn(scratch)
      return work(
        async () => {
          for (const bytes of all) await blobs.put(bytes)
        },
        () => blobsIn(scratch).length,
        () => ({ "files written": [...inodesIn(scratch)].filter((inode) => !before.has(inode)).length }),
      )
    },
  },
  probes: {
    sha256: async () => {
      const all = images()
      return work(
        () => all.map(hashOf),
        (hashes) => hashes.length,
      )
    },
  },
  bars: [{ contender: "treelog", figure: "files written", atMost: 0 }],
}

/** The names of the blobs; the first process of a case makes them. */
async function filled(folder: string): Promise<string[]> {
  const names = await readdir(folder)
  if (names.length === COUNT) return names
  for (const bytes of images()) await putBare(folder, bytes)
  return readdir(folder)
}

export const blobs: Question = {
  name: "blobs",
  asks: "How long does it take to store and to read images, beside the least that could do it as safely?",
  rounds: 5,
  cases: [put, putAgain, get],
}
