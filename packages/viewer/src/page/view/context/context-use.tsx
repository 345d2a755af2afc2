import type { ContextShare } from "@treelog/session-core/compaction"
import { contextShareText } from "@treelog-internal/text"
import type { JSX } from "preact"
import { readableLine } from "../../text/readable-text.js"
import { numberText, tokensText } from "../format-values.js"
import { ShareBar } from "../share-bar.js"

/** The largest parts alone. */
const MOST = 20

/** Where the tokens of a context went: prompts, thinking, the results of each tool, and what compactions freed. */
export function ContextUse({ shares }: { readonly shares: readonly ContextShare[] }): JSX.Element | null {
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
