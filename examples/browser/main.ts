// Shows the messages of a session that you drop on the page, with @treelog/session-core alone: nothing is uploaded, and
// of a large file no more is read than what the model would get of it.

import { isTreelogError, readSession } from "@treelog/session-core"
import { convertToLlm, type LlmMessage } from "@treelog/session-core/messages"

function element<Name extends keyof HTMLElementTagNameMap>(name: Name): HTMLElementTagNameMap[Name] {
  const found = document.querySelector(name)
  if (!found) throw new Error(`The page has no ${name}.`)
  return found
}

async function show(file: File | null | undefined): Promise<void> {
  if (!file) return
  try {
    const session = await readSession(file, { name: file.name })
    const { messages } = convertToLlm((await session.readContext()).messages)
    element("h1").textContent = file.name
    element("ol").replaceChildren(...messages.map(itemOf))
  } catch (error) {
    if (!isTreelogError(error)) throw error
    element("h1").textContent = error.message // such as InvalidSessionError: this file is not a session
    element("ol").replaceChildren()
  }
}

/** As text, never as markup: anybody may have written what stands in a session. */
function itemOf(message: LlmMessage): HTMLLIElement {
  const item = document.createElement("li")
  item.dataset.role = message.role
  item.textContent = textOf(message.content)
  return item
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return String(content)
  const parts = content.map((block) => {
    if (block.type === "text") return block.text
    return block.type === "toolCall" ? `${block.name}(${JSON.stringify(block.arguments)})` : `[${block.type}]`
  })
  return parts.join("\n")
}

document.addEventListener("dragover", (event) => event.preventDefault())
document.addEventListener("drop", (event) => {
  event.preventDefault()
  void show(event.dataTransfer?.files[0])
})
element("input").addEventListener("change", ({ target }) => void show((target as HTMLInputElement).files?.[0]))
