/** Node's own from 22.15 on, else one in JavaScript. Loaded with the first compressed record. */
export async function zstdDecompressor(): Promise<(bytes: Uint8Array) => Uint8Array> {
  const { zstdDecompressSync } = (await import("node:zlib")) as { zstdDecompressSync?: (bytes: Uint8Array) => Buffer }
  return zstdDecompressSync ?? (await import("fzstd")).decompress
}
