import { setImmediate } from "node:timers/promises"
import { isTreelogError } from "@treelog/session-core"
import { type FileRanges, type FileStat, identityOf, storageError } from "@treelog-internal/fs"
import { nodeZlib } from "../lazy-modules.js"
import { openFileRanges } from "../read-ranges.js"
import type { MirroredObject, MirrorFolder } from "./mirror-folder.js"
import { type Segment, withoutGap } from "./segment.js"
import { seedOf } from "./write-segment.js"

/** Verified at once, then so many more before the rest of the process gets its turn. Bytes. */
const [BLOCK, TURN] = [1 << 20, 1 << 24]

/** A verified segment. It stays open until `close`, so that its bytes are there even if another process removes the file. */
export class SegmentFile {
  readonly segment: Segment
  /** The offset in the object from which it is used: the bytes before are in the segment before it. */
  readonly from: number
  readonly #folder: MirrorFolder
  readonly #path: string
  readonly #mark: string
  readonly #ranges: FileRanges

  private constructor(
    folder: MirrorFolder,
    path: string,
    { segment, from }: Pick<SegmentFile, "segment" | "from">,
    stat: FileStat,
    ranges: FileRanges,
  ) {
    this.segment = segment
    this.from = from
    this.#folder = folder
    this.#path = path
    this.#mark = markOf(stat)
    this.#ranges = ranges
  }

  /** Undefined where the file is gone, or its bytes are not those that were written. */
  static async open(
    folder: MirrorFolder,
    object: MirroredObject,
    segment: Segment,
    from: number,
  ): Promise<SegmentFile | undefined> {
    const path = folder.pathOf(object.key, segment)
    const stat = folder.fs.statSync(path)
    if (!stat?.isFile() || Number(stat.size) !== segment.end - segment.start) return undefined
    const ranges = unlessChanged(() => openFileRanges(folder.fs, path, identityOf(stat)))
    if (!ranges) return undefined
    try {
      if ((await checksum(ranges, object, segment)) === segment.crc)
        return new SegmentFile(folder, path, { segment, from }, stat, ranges)
    } catch (error) {
      ranges.close()
      throw error
    }
    ranges.close()
    return undefined
  }

  get length(): number {
    return this.segment.end - this.from
  }

  /** Opens it again after a `close`. False where the file that was verified is gone, or was changed. */
  reopen(): boolean {
    const stat = unlessChanged(() => {
      this.#ranges.reopen()
      return this.#folder.fs.statSync(this.#path)
    })
    return stat !== undefined && markOf(stat) === this.#mark
  }

  /**
   * @param offset in the object, from which the segment has all bytes that `into` takes
   * @throws StorageError
   */
  readInto(into: Uint8Array, offset: number): void {
    try {
      if (this.#ranges.read(offset - this.segment.start, into.length, into).length === into.length) return
    } catch (error) {
      if (!isTreelogError(error, "SessionChangedError")) throw error
    }
    const cause = new Error("another program removed or changed this file of the mirror")
    throw storageError(this.#path, "read", undefined, cause)
  }

  close(): void {
    this.#ranges.close()
  }
}

/** Undefined where the file was removed or replaced since it was seen. */
function unlessChanged<Result>(open: () => Result): Result | undefined {
  try {
    return open()
  } catch (error) {
    if (isTreelogError(error, "SessionChangedError")) return undefined
    throw error
  }
}

async function checksum(ranges: FileRanges, object: MirroredObject, { start, end }: Segment): Promise<number> {
  const block = new Uint8Array(Math.min(BLOCK, end - start))
  let crc = seedOf(object, start)
  for (let at = 0; at < end - start; at += BLOCK) {
    crc = nodeZlib().crc32(ranges.read(at, Math.min(BLOCK, end - start - at), block), crc)
    if (at % TURN === TURN - BLOCK) await setImmediate()
  }
  return crc
}

/** A change of the bytes changes it. */
function markOf(stat: FileStat): string {
  return `${identityOf(stat)}:${stat.size}:${stat.ctimeNs}`
}

/** The first bytes of an object, as far as the folder has them. Files that are damaged or of no use are removed. */
export async function openVerified(folder: MirrorFolder, object: MirroredObject): Promise<SegmentFile[]> {
  const found = new Set(await folder.segments(object))
  for (;;) {
    const files = await openAll(folder, object, withoutGap([...found]))
    if (Array.isArray(files)) {
      const unused = [...found].filter((segment) => !files.some((file) => file.segment === segment))
      await folder.remove(object.key, unused)
      if (files.length > 0) await folder.touch(object.key)
      return files
    }
    await folder.remove(object.key, [files])
    found.delete(files)
  }
}

/** The opened files, or the first of them that is damaged. */
async function openAll(
  folder: MirrorFolder,
  object: MirroredObject,
  segments: readonly Segment[],
): Promise<SegmentFile[] | Segment> {
  const files: SegmentFile[] = []
  let isComplete = false
  try {
    for (const segment of segments) {
      const file = await SegmentFile.open(folder, object, segment, files.at(-1)?.segment.end ?? 0)
      if (!file) return segment
      files.push(file)
    }
    isComplete = true
    return files
  } finally {
    if (!isComplete) for (const file of files) file.close()
  }
}
