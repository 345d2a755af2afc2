import { contentText } from "@treelog/session-core"
import { type Fields, isObject } from "@treelog-internal/text"
import type { JSX } from "preact"
import { readableLine } from "../../text/readable-text.js"
import { Fold } from "../block/fold.js"
import { JsonView } from "../block/json-view.js"
import { LongText } from "../block/long-text.js"
import { plural } from "../format-values.js"

/** Instructions for the model. pi stores them in sections, with the tools. */
export function SystemBody({ ordinal, message }: { readonly ordinal: number; readonly message: Fields }): JSX.Element {
  const sections = isObject(message.sections) ? Object.entries(message.sections) : []
  const text = [contentText(message.content), ...sections.map(([name, section]) => `# ${name}\n${section}`)]
    .filter((part) => part !== "")
    .join("\n\n")
  const tools = Array.isArray(message.toolsAdded) ? message.toolsAdded.filter(isObject) : []
  return (
    <>
      <Fold
        ordinal={ordinal}
        part="instructions"
        class="other"
        title="Instructions"
        subject={readableLine(text, 140)}
        fact={plural(text.length, "character")}
        content={() => <LongText ordinal={ordinal} part="instructions" text={text} />}
      />
      {tools.length > 0 && (
        <Fold
          ordinal={ordinal}
          part="tools"
          class="other"
          title={plural(tools.length, "tool")}
          subject={readableLine(tools.map(({ name }) => name).join(", "), 200)}
          content={() => <JsonView ordinal={ordinal} part="tools" value={tools} />}
        />
      )}
    </>
  )
}
