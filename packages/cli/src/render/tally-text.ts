import { plural } from "./plural.js"
import { sizeText } from "./size.js"

/** `22 blobs, 4.5 MB`. */
export function tallyText({ count, bytes }: { count: number; bytes: number }, one = "blob"): string {
  return `${plural(count, one)}, ${sizeText(bytes)}`
}
