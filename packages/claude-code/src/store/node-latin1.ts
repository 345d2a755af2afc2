import { isUtf8 } from "node:buffer"
import type { Latin1 } from "../source/byte-source.js"

export const nodeLatin1: Latin1 = {
  isUtf8,
  textOf: (bytes) => Buffer.prototype.latin1Slice.call(bytes, 0, bytes.length),
}
