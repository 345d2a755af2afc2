import type { PromptImportReport } from "@treelog/session-core/prompt-history"
import { numberText } from "./number.js"
import { plural } from "./plural.js"

/** `3 prompts: 2 added, 1 known`. */
export function importSentence({ read, added, known, ignored, deleted }: PromptImportReport): string {
  const parts = [
    `${numberText(added)} added`,
    known > 0 ? `${numberText(known)} known` : "",
    ignored > 0 ? `${numberText(ignored)} ignored (empty, like a secret, or by --ignore)` : "",
    deleted > 0 ? `${numberText(deleted)} deleted before` : "",
  ].filter(Boolean)
  return `${plural(read, "prompt")}: ${parts.join(", ")}`
}
