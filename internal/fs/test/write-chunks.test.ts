import type { SyncFile } from "@treelog-internal/fs"
import { writeChunks } from "@treelog-internal/fs"
import fc from "fast-check"
import { expect, test } from "vitest"

const MOST = 600 * 1024

/** A file that keeps what it is given, and takes no more than so many bytes at once. */
function keepingFile(most: number): { file: SyncFile; written: () => Uint8Array; calls: () => number } {
  const pieces: Uint8Array[] = []
  const writeSync = (buffer: Uint8Array, offset: number, length: number): number => {
    const written = Math.min(most, length)
    pieces.push(buffer.slice(offset, offset + written))
    return written
  }
  return {
    file: { writeSync } as unknown as SyncFile,
    written: () => Buffer.concat(pieces),
    calls: () => pieces.length,
  }
}

test("Pieces of any size come out as they went in, also when the system takes less than it is given.", async () => {
  const size = fc.oneof(fc.nat(40), fc.nat(MOST))
  await fc.assert(
    fc.asyncProperty(
      fc.array(size, { maxLength: 12 }),
      fc.integer({ min: 100_000, max: MOST }),
      async (sizes, most) => {
        const source = sizes.map((length, index) => new Uint8Array(length).fill(index + 1))
        const { file, written } = keepingFile(most)
        await writeChunks(file, inOneBuffer(source))
        expect(Buffer.compare(written(), Buffer.concat(source))).toBe(0)
      },
    ),
    { numRuns: 40 },
  )
})

test("Many lines take few writes.", async () => {
  const { file, calls } = keepingFile(MOST)
  await writeChunks(
    file,
    Array.from({ length: 10_000 }, () => new Uint8Array(100)),
  )
  expect(calls()).toBe(4)
})

/** Each piece is valid until the next one is asked for, and not longer. */
async function* inOneBuffer(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(MOST)
  for (const piece of pieces) {
    buffer.fill(0).set(piece)
    yield buffer.subarray(0, piece.length)
  }
}
