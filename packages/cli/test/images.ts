import { createHash } from "node:crypto"
import { messageEntry, userMessage } from "@treelog-internal/test-kit"
import type { Sandbox } from "./sandbox.js"

/** Bytes of each image. */
export const IMAGE_SIZE = 3000

/** A message with an image that is large enough to be moved out. A number gives that image; a text is what stands in its place. */
export function imageEntry(id: string, parentId: string | null, image: number | string): object {
  const data = typeof image === "number" ? Buffer.alloc(IMAGE_SIZE, image).toString("base64") : image
  const content = [
    { type: "text" as const, text: `image ${id}` },
    { type: "image" as const, mimeType: "image/png", data },
  ]
  return messageEntry(id, parentId, userMessage("", { content }))
}

/** The hash of the image that the number gives, or of a text. */
export function hashOf(content: number | string): string {
  const bytes = typeof content === "number" ? Buffer.alloc(IMAGE_SIZE, content) : content
  return createHash("sha256").update(bytes).digest("hex")
}

/** Puts a blob into the store of the sandbox, and returns its hash. */
export function storeBlob(box: Sandbox, text: string, folder = "agent/blobs"): string {
  box.write(`${folder}/${hashOf(text)}`, text)
  return hashOf(text)
}
