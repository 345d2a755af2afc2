import { type Diagnostic, isDamage } from "@treelog/session-core"
import type { JSX } from "preact"
import { readableLine } from "../../text/readable-text.js"
import { numberText, plural } from "../format-values.js"
import { Fold } from "./fold.js"

/** The most to show. */
const MOST = 100

export interface DiagnosticsProps {
  /** Of what; below 0, since it is not an entry. */
  readonly ordinal: number
  readonly diagnostics: readonly Diagnostic[]
}

/** What is wrong with what is shown, folded; nothing where nothing is. */
export function Diagnostics({ ordinal, diagnostics }: DiagnosticsProps): JSX.Element | null {
  if (diagnostics.length === 0) return null
  const damaged = diagnostics.some(isDamage)
  return (
    <Fold
      ordinal={ordinal}
      part="diagnostics"
      class={damaged ? "diagnostics bad" : "diagnostics"}
      icon="warning"
      title={`${plural(diagnostics.length, "diagnostic")}${damaged ? ": parts of the file cannot be read" : ""}`}
      content={() => (
        <ul>
          {diagnostics.slice(0, MOST).map(({ kind, line, entryId, message }) => (
            <li key={`${kind} ${line} ${entryId} ${message}`}>{readableLine(message, 400)}</li>
          ))}
          {diagnostics.length > MOST && <li>… and {numberText(diagnostics.length - MOST)} more</li>}
        </ul>
      )}
    />
  )
}
