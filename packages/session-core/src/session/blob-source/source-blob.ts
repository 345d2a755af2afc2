// A page's `File` and `Blob`, by what is used of them: a range of theirs is read only when it is asked for, and their bytes are kept
// by the browser, on disk where they are many.

/** Bytes of which any range can be read: a `Blob`, or a `File`. */
export interface SourceBlob {
  /** Bytes. */
  readonly size: number
  slice(from: number, to: number): { arrayBuffer(): Promise<ArrayBuffer> }
}

/** Bytes that come one after the other: a `ReadableStream`, such as the body of a response. */
export interface SourceStream {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>
    releaseLock(): void
  }
}

declare const Blob: { new (parts: readonly unknown[]): SourceBlob }

/** So many bytes of a stream are in memory before the browser gets them to keep. */
const PART = 4 << 20

/** The bytes as something that can be read in ranges. Those of a stream are given to the browser to keep. */
export async function blobOf(source: SourceBlob | SourceStream | Uint8Array): Promise<SourceBlob> {
  if (ArrayBuffer.isView(source)) return new Blob([source])
  return "getReader" in source ? kept(source) : source
}

async function kept(stream: SourceStream): Promise<SourceBlob> {
  const reader = stream.getReader()
  const parts: SourceBlob[] = []
  let chunks: Uint8Array[] = []
  let size = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (value) chunks.push(value)
      size += value?.length ?? 0
      if (done || size >= PART) {
        parts.push(new Blob(chunks))
        chunks = []
        size = 0
      }
      if (done) return new Blob(parts)
    }
  } finally {
    reader.releaseLock()
  }
}
