import { failure, ok } from "../assert.js"

export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** The error that `failingChunks` throws. */
const SOURCE_ERROR = new Error("the source of the chunks failed")

export async function* laterChunks(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield await Promise.resolve(bytes(text))
}

/** Yields enough bytes for a storage to start writing, then fails. */
export async function* failingChunks(): AsyncGenerator<Uint8Array> {
  yield* largeChunks()
  throw SOURCE_ERROR
}

/** 4 MB in chunks of different sizes, no two of which start with the same bytes. */
export function largeChunks(): Uint8Array[] {
  return Array.from({ length: 64 }, (_, number) => {
    const chunk = new Uint8Array(60_000 + 111 * number)
    for (let at = 0; at < chunk.length; at++) chunk[at] = (at * 31 + number * 7) % 251
    return chunk
  })
}

/** Asserts that an attempt fails with the error of `failingChunks`, as itself or as the cause. */
export async function failsWithSource(attempt: Promise<unknown>, what: string): Promise<void> {
  const error = await failure(attempt, what)
  ok(error === SOURCE_ERROR || (error as Error).cause === SOURCE_ERROR, "the error of the source is reported")
}
