type Decompress = (bytes: Uint8Array) => Uint8Array

/** Decompresses what OpenClaw compressed. Damaged bytes stay as they are: as a line, they are reported and kept. */
export async function unpacked(bytes: Uint8Array): Promise<Uint8Array> {
  const decompress = await decompressor()
  try {
    return decompress(bytes)
  } catch (error) {
    if (error instanceof Error) return bytes
    throw error
  }
}

/** Node's own from 22.15 on, else one in JavaScript. Loaded with the first compressed record. */
async function decompressor(): Promise<Decompress> {
  const { zstdDecompressSync } = (await import("node:zlib")) as { zstdDecompressSync?: Decompress }
  return zstdDecompressSync ?? (await import("fzstd")).decompress
}
