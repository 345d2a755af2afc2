import { jsonText } from "@treelog/session-core/json"
import type { JSX } from "preact"
import { useLayoutEffect, useMemo, useRef } from "preact/hooks"
import { type AnsiSegment, ansiSegments, segmentsUpTo } from "../../text/ansi-segments.js"
import { highlighted } from "../../text/highlight.js"
import { plural } from "../format-values.js"
import { type PartProps, useFold } from "./fold.js"

/** The lines, and characters, that are shown at first. */
const LINES = 24
const CHARACTERS = 4_000

export interface LongTextProps extends PartProps {
  readonly text: unknown
  readonly language?: string | undefined
}

/** Output with the colours that it was printed in, or highlighted code; the start is shown at first. */
export function LongText({ ordinal, part, text, language }: LongTextProps): JSX.Element {
  const [isOpen, toggle] = useFold(ordinal, `${part} all`)
  const segments = useMemo(() => ansiSegments(text), [text])
  const whole = segments.map((segment) => segment.text).join("")
  const cut = cutAt(whole)
  const isCut = cut < whole.length
  const shown = isCut && !isOpen ? whole.slice(0, cut) : whole
  const code = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    code.current?.replaceChildren(highlighted(shown, language) ?? coloured(segmentsUpTo(segments, shown.length)))
  }, [shown, language])
  if (whole.trim() === "") return <p class="faint nothing">(no output)</p>
  return (
    <div class="output" data-cut={isCut && !isOpen}>
      <pre>
        <code ref={code} />
      </pre>
      {isCut && (
        <button type="button" class="text-button more" aria-expanded={isOpen} onClick={toggle}>
          {isOpen ? "Show less" : `Show all ${plural(whole.split("\n").length, "line")}`}
        </button>
      )}
    </div>
  )
}

function coloured(segments: readonly AnsiSegment[]): DocumentFragment {
  const fragment = document.createDocumentFragment()
  for (const { text, style } of segments) {
    if (style === "") {
      fragment.append(text)
      continue
    }
    const span = document.createElement("span")
    span.className = style
    span.textContent = text
    fragment.append(span)
  }
  return fragment
}

function cutAt(text: string): number {
  let at = -1
  for (let line = 0; line < LINES; line++) {
    at = text.indexOf("\n", at + 1)
    if (at === -1 || at > CHARACTERS) break
  }
  if (at === -1 && text.length <= CHARACTERS * 1.5) return text.length
  return at === -1 || at > CHARACTERS ? CHARACTERS : at
}

/** The most characters to show. */
const MOST = 300_000

export function JsonView({ ordinal, part, value }: PartProps & { readonly value: unknown }): JSX.Element {
  const json = jsonText(value, "indented") ?? String(value)
  const text = json.length > MOST ? `${json.slice(0, MOST)}\n…` : json
  return <LongText ordinal={ordinal} part={part} text={text} language="json" />
}
