import type { Message } from "@treelog/session-core"
import { documentIn, isSystemMessage, systemText } from "@treelog/session-core/adapter"
import { jsonText } from "@treelog/session-core/json"
import { convertToLlm } from "@treelog/session-core/messages"
import { blocksOf, documentLabel, type Fields, imageIn, imageLabel } from "@treelog-internal/text"
import type { StepContent } from "./step.js"

/** What a message says, but for thinking and calls: as the model gets it, where the message has another form. */
export function messageContent(message: Fields): StepContent[] {
  if (isSystemMessage(message)) return blockContent(systemText(message, true))
  if (READ_AS_STORED.has(message.role)) return blockContent(message.content)
  // A command that the model does not get is shown too.
  const { messages } = convertToLlm([{ ...message, excludeFromContext: false } as unknown as Message])
  const [converted] = messages
  return converted ? blockContent(converted.content) : [{ type: "text", text: jsonText(message) }]
}

const READ_AS_STORED: ReadonlySet<unknown> = new Set(["user", "assistant", "toolResult", "developer"])

/** The texts and images of a content. A block of another kind is its JSON, unless only a model can read it. */
export function blockContent(content: unknown): StepContent[] {
  return blocksOf(content).flatMap((block): StepContent[] => {
    if (block.type === "text") return textContent(block.text)
    if (OTHERWISE.has(block.type) || (typeof block.type === "string" && /redacted/i.test(block.type))) return []
    const image = imageIn(block)
    if (image) return imageContent(image)
    const document = documentIn(block)
    return document
      ? [...textContent(documentLabel(document)), ...textContent(document.text)]
      : textContent(jsonText(block))
  })
}

/** What a reply says elsewhere. */
const OTHERWISE: ReadonlySet<unknown> = new Set(["thinking", "toolCall"])

function textContent(text: unknown): StepContent[] {
  return typeof text === "string" && text !== "" ? [{ type: "text", text }] : []
}

function imageContent(image: Fields): StepContent[] {
  const { mimeType, data } = image
  return typeof mimeType === "string" && typeof data === "string"
    ? [{ type: "image", mimeType, data }]
    : textContent(imageLabel(image))
}

/** The content as one text. An image is what it is and how large. */
export function plainContent(content: readonly StepContent[]): string {
  return content.map((one) => (one.type === "text" ? one.text : imageLabel({ ...one }))).join("\n\n")
}
