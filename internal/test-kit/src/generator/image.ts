import { createHash } from "node:crypto"
import type { Author } from "./author.js"

/** The signature and the first chunk's length of a PNG: 12 bytes, so that base64 may follow at once. */
const PNG = "iVBORw0KGgoAAAAN"
/** From this length on omp keeps an image outside of the session. */
const BLOB_FROM_CHARS = 1_024

/** An image block as the writer stores it: base64, or omp's reference to a blob. */
export function imageOf({ shape, random, text }: Author): { type: "image"; data: string; mimeType: string } {
  const data = PNG + text.base64((random.size(shape.imageBytes) * 4) / 3)
  const stored = shape.style === "omp" && data.length >= BLOB_FROM_CHARS ? blobReference(data) : data
  return { type: "image", data: stored, mimeType: "image/png" }
}

function blobReference(base64: string): string {
  return `blob:sha256:${createHash("sha256").update(base64, "base64").digest("hex")}`
}
