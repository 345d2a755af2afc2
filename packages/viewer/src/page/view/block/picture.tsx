import { hashInRef } from "@treelog/session-core/adapter"
import type { JSX } from "preact"
import { readableLine } from "../../text/readable-text.js"
import { FileButton } from "../controls/file-button.js"
import { Icon } from "../controls/icons.js"
import { useViewer } from "../state/viewer-context.js"

/** Image types without active content: an SVG is a document. */
const TYPES = /^image\/(?:png|jpeg|jpg|gif|webp|avif|bmp)$/
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

export interface PictureProps {
  /** Base64, or a reference to a blob. */
  readonly data: unknown
  readonly mimeType: unknown
}

/** An image of a message, which opens in full size when clicked. */
export function Picture({ data, mimeType }: PictureProps): JSX.Element {
  const viewer = useViewer()
  const type = readableLine(mimeType, 60)
  const hash = typeof data === "string" ? hashInRef(data) : undefined
  if (hash) {
    return (
      <p class="no-picture">
        <Icon name="picture" />
        <span>
          A picture in blob <code>{hash.slice(0, 12)}…</code>, which is not here. Drop the folder <code>blobs</code> on
          this page to see it, or{" "}
          <FileButton class="text-button" folder>
            open the folder
          </FileButton>
        </span>
      </p>
    )
  }
  const base64 = typeof data === "string" ? data.replace(/\s+/g, "") : ""
  if (!TYPES.test(type) || !BASE64.test(base64)) {
    return (
      <p class="no-picture">
        <Icon name="picture" />
        <span>A picture of a kind that is not shown: {type || "unknown"}</span>
      </p>
    )
  }
  const url = `data:${type};base64,${base64}`
  return (
    <button
      type="button"
      class="picture"
      aria-label="Open the image"
      onClick={() => viewer.update({ dialog: { kind: "picture", url } })}
    >
      <img src={url} alt="From the session" decoding="async" />
    </button>
  )
}
