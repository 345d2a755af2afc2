import { blocksOf, cleanTabbed, type Fields } from "@treelog-internal/text"
import type { JSX } from "preact"
import { textIn } from "../../session/fields.js"
import { readableLine } from "../../text/readable-text.js"
import { Blocks } from "../block/blocks.js"
import { LongText } from "../block/long-text.js"

/** A command that the user ran. */
export function RunBody({ ordinal, message }: { readonly ordinal: number; readonly message: Fields }): JSX.Element {
  const isPython = message.role === "pythonExecution"
  const { exitCode, cancelled, truncated, fullOutputPath, excludeFromContext } = message
  const code = typeof exitCode === "number" ? exitCode : undefined
  return (
    <div class="run" data-failed={cancelled === true || (code !== undefined && code !== 0)}>
      <div class="run-head">
        <pre>
          <span class="run-sign" aria-hidden="true">
            {isPython ? ">>>" : "$"}{" "}
          </span>
          <code>{cleanTabbed(textIn(message.command) ?? textIn(message.code) ?? "")}</code>
        </pre>
        {cancelled === true && <span class="badge">cancelled</span>}
        {code !== undefined && <span class={code === 0 ? "badge quiet" : "badge bad"}>exit {code}</span>}
        {excludeFromContext === true && <span class="badge quiet">excluded from the context</span>}
      </div>
      <LongText ordinal={ordinal} part="output" text={message.output} />
      {blocksOf(message.images).length > 0 && <Blocks ordinal={ordinal} content={message.images} as="output" />}
      {truncated === true && (
        <p class="faint nothing">
          The output was cut when it ran{textIn(fullOutputPath) ? `; all of it: ${readableLine(fullOutputPath)}` : "."}
        </p>
      )}
    </div>
  )
}
