import { resolve } from "node:path"
import { NamedBlobs } from "@treelog/session-core/maintenance"
import { chunksOf, type FsPort, nodeFs, statIfThere, withStorageErrors } from "@treelog-internal/fs"
import { withFile } from "./open-file.js"
import { type FoundFile, READING, walkFiles } from "./walk-files.js"

/**
 * The hashes that files refer to, found in their bytes as a sweep finds them: in torn lines and in sub-agents' transcripts too.
 * @param paths files, and folders with all that is in them; what is not there names nothing
 * @throws StorageError for what cannot be read
 */
export async function blobsNamedIn(
  paths: Iterable<string>,
  { fs = nodeFs }: { fs?: FsPort } = {},
): Promise<Set<string>> {
  const hashes = new Set<string>()
  const scan = (path: string): Promise<void> =>
    withStorageErrors(path, READING, async () => {
      const named = new NamedBlobs()
      await withFile(fs, path, async (file) => {
        for await (const chunk of chunksOf(file, { fresh: false })) for (const hash of named.in(chunk)) hashes.add(hash)
      })
    })
  for (const path of paths) for await (const { path: file } of filesAt(fs, resolve(path))) await scan(file)
  return hashes
}

async function* filesAt(fs: FsPort, path: string): AsyncGenerator<FoundFile> {
  const stat = await withStorageErrors(path, READING, () => statIfThere(fs, path))
  if (stat?.isDirectory()) yield* walkFiles(fs, path, new Set(), () => false)
  else if (stat?.isFile()) yield { path, stat }
}
