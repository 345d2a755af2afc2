import type { ContextShare } from "@treelog/session-core/compaction"
import { contextShareText } from "@treelog-internal/text"
import type { JSX } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import { VirtualList } from "../../scroll/virtual-list.js"
import type { ModelContext } from "../../session/model-context.js"
import { readableLine } from "../../text/readable-text.js"
import { Diagnostics } from "../block/diagnostics.js"
import { Facts, ShareBar } from "../controls/facts.js"
import { numberText, tokensText } from "../format-values.js"
import { rangeOfHit, useHitHighlights } from "../input/highlight-hits.js"
import { useViewer } from "../state/viewer-context.js"
import { ContextMessage } from "./context-message.js"

/** What the model sees at the end of the branch, message by message. */
export function ContextView(): JSX.Element {
  const viewer = useViewer()
  const list = useRef<VirtualList>(null)
  const context = viewer.branch.context()
  const { goal } = viewer
  const { messages } = context
  useLayoutEffect(() => {
    if (!goal) return
    viewer.reached(goal)
    const row = messages.findIndex(({ ordinal }) => ordinal === goal.ordinal)
    if (row < 0) return
    list.current?.scrollToRow(row + 1)
    if (goal.isHit)
      list.current?.showInRow(row + 1, (rendered) => rangeOfHit(rendered, goal.ordinal, viewer.searching.terms))
    if (goal.focusFrom !== undefined) list.current?.focusRow(row + 1, goal.focusFrom)
  }, [goal])
  useHitHighlights(() => list.current?.element, { terms: viewer.searching.terms, currentRange: () => undefined })
  return (
    <VirtualList
      ref={list}
      count={messages.length + 1}
      rows={messages}
      estimate={(row) => (row === 0 ? 120 : 60 + Math.min(messages[row - 1]?.tokens ?? 0, 400))}
      keyOf={(row) => (row === 0 ? "head" : `${row} ${messages[row - 1]?.ordinal}`)}
      renderRow={(row) => {
        const seen = messages[row - 1]
        return seen ? <ContextMessage seen={seen} row={row} count={messages.length} /> : <ContextHead {...context} />
      }}
      attributes={{ class: "feed", role: "feed", tabIndex: 0, "aria-label": "What the model sees" }}
    />
  )
}

function ContextHead({ context, tokens, messages, shares, diagnostics }: ModelContext): JSX.Element {
  const { model, models, thinkingLevel, mode } = context
  const roles = Object.entries(models).filter(([role]) => role !== "default")
  const facts: (readonly [string, string])[] = [
    ["Model", model ? `${model.provider}/${model.modelId}` : "none yet"],
    ...roles.map(([role, name]) => [`Model for ${role}`, name] as const),
    ["Thinking", thinkingLevel],
    ...(mode === "none" ? [] : [["Mode", mode] as const]),
    ["Messages", numberText(messages.length)],
    ["Context size", `about ${tokensText(tokens)} tokens`],
  ]
  return (
    <article class="session-head" aria-label="About the context">
      <Facts facts={facts.map(([name, value]) => [readableLine(name, 80), readableLine(value, 120)])} />
      <ContextUse shares={shares} />
      <Diagnostics ordinal={-2} diagnostics={diagnostics} />
    </article>
  )
}

/** The largest parts alone. */
const MOST = 20

/** Where the tokens of a context went: prompts, thinking, the results of each tool, and what compactions freed. */
function ContextUse({ shares }: { readonly shares: readonly ContextShare[] }): JSX.Element | null {
  if (shares.length === 0) return null
  const total = Math.max(1, sumOf(shares, "tokens"))
  const [hasRepeated, hasFreed] = [sumOf(shares, "repeated") > 0, sumOf(shares, "freed") > 0]
  const text = (tokens: number): string => (tokens === 0 ? "" : tokensText(tokens))
  return (
    <div class="sums context-use">
      <table aria-label="What fills the context">
        <thead>
          <tr>
            <th scope="col">In the context</th>
            <th scope="col">Tokens</th>
            <th scope="col">Share</th>
            <th scope="col">Count</th>
            {hasRepeated && <th scope="col">Read again</th>}
            {hasFreed && <th scope="col">Left out</th>}
          </tr>
        </thead>
        <tbody>
          {shares.slice(0, MOST).map((share) => (
            <tr key={contextShareText(share)}>
              <th scope="row">
                <bdi>{readableLine(contextShareText(share), 80)}</bdi>
                <ShareBar share={share.tokens / total} />
              </th>
              <td>{text(share.tokens)}</td>
              <td>{Math.round((100 * share.tokens) / total)}%</td>
              <td>{numberText(share.count)}</td>
              {hasRepeated && <td>{text(share.repeated)}</td>}
              {hasFreed && <td>{text(share.freed)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {shares.length > MOST && <p class="faint">and {numberText(shares.length - MOST)} more</p>}
    </div>
  )
}

function sumOf(shares: readonly ContextShare[], of: "tokens" | "repeated" | "freed"): number {
  return shares.reduce((sum, share) => sum + share[of], 0)
}
