import type { FileStat } from "@treelog-internal/fs"

/**
 * When the file was last written or put again. Milliseconds since 1970, rounded: a time that was set loses its last
 * digits.
 */
export function modifiedOf(stat: FileStat): number {
  return Number((stat.mtimeNs + 500_000n) / 1_000_000n)
}

/** Identifies a file, whatever its name: it changes when another file takes the name. */
export function identityOf(stat: FileStat): string {
  return `${stat.dev}:${stat.ino}`
}
