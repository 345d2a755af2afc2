import { type DiffLine, type FileChange, fileChangeOf } from "@treelog/session-core/adapter"
import { cleanTabbed } from "./clean-text.js"
import type { Fields } from "./content-blocks.js"

/** The changes of files in a conversation, each once: a result shows the one that its tool stored only where the call could not. */
export class FileChanges {
  readonly #shownCalls = new Set<string>()

  ofCall({ id, arguments: given }: Fields): FileChange | undefined {
    const change = fileChangeOf(given)
    if (change && typeof id === "string") this.#shownCalls.add(id)
    return change
  }

  ofResult({ toolCallId, details }: Fields): FileChange | undefined {
    const isShown = typeof toolCallId === "string" && this.#shownCalls.delete(toolCallId)
    return isShown ? undefined : fileChangeOf(undefined, details)
  }
}

const SIGNS: Readonly<Record<DiffLine["kind"], string>> = { same: " ", added: "+", removed: "-", gap: "" }

/** A diff as a text, clean. Every line keeps its sign, whatever it holds. */
export function diffText(diff: readonly DiffLine[]): string {
  return diff
    .map(({ kind, text }) => {
      if (kind === "gap" && text === "") return " ..."
      return SIGNS[kind] + cleanTabbed(text.replace(/\r$/, "")).replaceAll("\n", "\\r")
    })
    .join("\n")
}
