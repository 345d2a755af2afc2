import { sumOfUsages } from "@treelog/session-core/search"
import type { JSX } from "preact"
import { useEffect, useState } from "preact/hooks"
import type { BesideBranch } from "../../session/beside-branch.js"
import type { TranscriptRows } from "../../session/transcript-rows.js"
import { Switch } from "../controls/choices.js"
import { Icon } from "../controls/icons.js"
import { costText, plural, tokensText } from "../format-values.js"
import { useMedia } from "../input/use-media.js"
import { useViewer } from "../state/viewer-context.js"
import { Feed } from "./feed.js"

/** Narrower windows show one branch at a time. */
const NARROW = "(max-width: 860px)"

/** Two branches from where they diverge: beside each other, or on narrow screens one at a time. */
export function BesideView({ beside }: { readonly beside: BesideBranch }): JSX.Element {
  const viewer = useViewer()
  const isNarrow = useMedia(NARROW)
  const [shown, setShown] = useState<Side>("left")
  const { ancestor } = beside
  const { session, current } = viewer
  useEffect(() => {
    if (current !== undefined && beside.right.rowOf.has(current)) setShown("right")
    else if (current !== undefined && beside.left.rowOf.has(current)) setShown("left")
  }, [current, beside])
  const common = ancestor === undefined ? "" : session?.summary(ancestor).text
  return (
    <div class="beside">
      <header class="beside-bar">
        <p class="faint">
          {ancestor === undefined ? (
            "Two branches without an entry in common"
          ) : (
            <>
              Two branches after <bdi class="beside-common">{common || "(no text)"}</bdi>
            </>
          )}
        </p>
        {isNarrow && (
          <Switch
            label="Branch"
            value={shown}
            options={SIDES.map((side) => [side, SIDE_NAMES[side]])}
            choose={setShown}
          />
        )}
        <button
          type="button"
          class="text-button"
          title="Show one branch (b)"
          onClick={() => viewer.setBeside(undefined)}
        >
          Close
        </button>
      </header>
      <div class="beside-columns">
        {SIDES.filter((side) => !isNarrow || side === shown).map((side) => (
          <section key={side} class="beside-column" aria-label={SIDE_NAMES[side]}>
            <Feed
              rows={beside[side]}
              label={`Conversation of the ${SIDE_NAMES[side].toLowerCase()}`}
              head={() => <ColumnHead side={side} rows={beside[side]} />}
              isMain={side === "left" || isNarrow}
            />
          </section>
        ))}
      </div>
    </div>
  )
}

type Side = "left" | "right"

const SIDES: readonly Side[] = ["left", "right"]
const SIDE_NAMES: Readonly<Record<Side, string>> = { left: "This branch", right: "Other branch" }

function ColumnHead({ side, rows }: { readonly side: Side; readonly rows: TranscriptRows }): JSX.Element {
  const viewer = useViewer()
  const { session } = viewer
  const usages = [...rows.rowOf.keys()].flatMap((ordinal) => session?.summary(ordinal).spent?.usages ?? [])
  const { totalTokens } = sumOfUsages(usages)
  return (
    <article class="column-head">
      <h2>
        <Icon name="branch" /> {SIDE_NAMES[side]}
      </h2>
      <p class="faint">
        {plural(rows.rowOf.size, "entry", "entries")}
        {totalTokens > 0 && ` · ${tokensText(totalTokens)} tokens · ${costText(viewer.prices.costOf(usages))}`}
      </p>
      {side === "right" && (
        <button type="button" class="text-button" onClick={() => viewer.swapBeside()}>
          Choose this branch
        </button>
      )}
    </article>
  )
}
