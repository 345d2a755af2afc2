import type { DiffLine } from "@treelog/session-core/adapter"
import { cleanTabbed } from "@treelog-internal/text"
import type { JSX } from "preact"
import { plural } from "../format-values.js"
import { type PartProps, useFold } from "./fold.js"

const LINES = 60

const SIGNS: Readonly<Record<DiffLine["kind"], string>> = { same: " ", added: "+", removed: "−", gap: "" }
const WORDS: Readonly<Record<DiffLine["kind"], string>> = { same: "", added: "added: ", removed: "removed: ", gap: "" }

export function DiffView({ ordinal, part, lines }: PartProps & { readonly lines: readonly DiffLine[] }): JSX.Element {
  const [isUnfolded, toggle] = useFold(ordinal, `${part} all`)
  const isOpen = lines.length <= LINES || isUnfolded
  return (
    <div class="diff">
      {(isOpen ? lines : lines.slice(0, LINES)).map(({ kind, text }, index) => (
        <div key={index} class="diff-line" data-kind={kind}>
          <span class="diff-sign" aria-hidden="true">
            {SIGNS[kind]}
          </span>
          <code>
            {WORDS[kind] !== "" && <span class="unseen">{WORDS[kind]}</span>}
            {cleanTabbed(text.replace(/\r$/, "")) || (kind === "gap" ? "⋯" : "\u200b")}
          </code>
        </div>
      ))}
      {!isOpen && (
        <button type="button" class="text-button more" onClick={toggle}>
          Show all {plural(lines.length, "line")}
        </button>
      )}
    </div>
  )
}
