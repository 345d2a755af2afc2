import { knownCost, type ModelUsage, sumOfUsages } from "@treelog/session-core/search"
import type { JSX } from "preact"
import type { Fork } from "../../session/branch-path.js"
import { SPEAKER_NAMES, type Speaker } from "../../session/entry-summary.js"
import type { PageSession } from "../../session/page-session.js"
import type { TranscriptRow } from "../../session/transcript-rows.js"
import { readableLine } from "../../text/readable-text.js"
import { EditBadge } from "../block/tool-card.js"
import { IconButton, IconLink } from "../controls/icon-button.js"
import { Icon } from "../controls/icons.js"
import { costText, momentText, numberText, timeText, tokensText } from "../format-values.js"
import { useViewer } from "../state/viewer-context.js"

export interface EntryHeaderProps {
  readonly session: PageSession
  readonly row: TranscriptRow
  readonly isRaw: boolean
  toggleRaw(): void
  /** What the name of a quiet row opens. */
  readonly toggleQuiet: { readonly isOpen: boolean; toggle(): void } | undefined
}

/** The author, the time, and buttons for the entry. */
export function EntryHeader({ session, row, isRaw, toggleRaw, toggleQuiet }: EntryHeaderProps): JSX.Element {
  const viewer = useViewer()
  const { ordinal, fork, edited, quiet } = row
  const summary = session.summary(ordinal)
  const { speaker, id, timestamp } = summary
  const label = session.labels.get(id)?.label
  const href = viewer.address.hrefOf(id)
  const link = (event: Event): void => {
    event.preventDefault()
    viewer.goTo(ordinal)
    viewer.say(`The page address now links to entry ${readableLine(id, 60)}.`)
  }
  return (
    <header class="entry-head">
      <Icon name={speaker} />
      <h2 class="who" id={`who-${ordinal}`}>
        {toggleQuiet ? (
          <button type="button" class="quiet-line" aria-expanded={toggleQuiet.isOpen} onClick={toggleQuiet.toggle}>
            <bdi>{quietText(session, quiet ?? [])}</bdi>
          </button>
        ) : (
          <bdi>{speakerName(session, ordinal)}</bdi>
        )}
      </h2>
      {label !== undefined && (
        <span class="label">
          <Icon name="label" />
          <span class="unseen">Label: </span>
          <bdi>{readableLine(label, 80)}</bdi>
        </span>
      )}
      {edited && <EditBadge isLeftOut={edited === "omitted"} />}
      {!row.inContext && !quiet && HAS_PLACE.has(speaker) && !edited && <span class="unseen">, not in context</span>}
      <span class="entry-facts">
        {href !== undefined && (
          <IconLink icon="link" label="Link to this entry" class="icon-button small" href={href} onClick={link} />
        )}
        <IconButton icon="braces" label="Show as stored" class="small" aria-pressed={isRaw} onClick={toggleRaw} />
        {fork && <ForkSwitch ordinal={ordinal} fork={fork} />}
        <SpentFacts usages={(quiet ?? [ordinal]).flatMap((one) => session.summary(one).spent?.usages ?? [])} />
        <time dateTime={timestamp} title={momentText(timestamp)}>
          {timeText(timestamp)}
        </time>
      </span>
    </header>
  )
}

/** The kinds that are normally part of the context. */
const HAS_PLACE: ReadonlySet<Speaker> = new Set(["user", "assistant", "tool", "bash", "custom", "branch", "system"])

/** Such as `claude-code.attachment, 3 more`. */
function quietText(session: PageSession, [first, ...more]: readonly number[]): string {
  const text = first === undefined ? "" : speakerName(session, first)
  return more.length > 0 ? `${text} and ${numberText(more.length)} more` : text
}

/** Who wrote an entry, or what it is. */
export function speakerName(session: PageSession, ordinal: number): string {
  const { speaker, type, text, spent } = session.summary(ordinal)
  if (speaker === "note") return text
  if (speaker === "assistant") return modelName(spent?.model) || "Assistant"
  if (speaker !== "custom") return SPEAKER_NAMES[speaker]
  const { customType, message } = session.entry(ordinal) as { customType?: unknown; message?: unknown }
  if (type === "custom_message") return readableLine(customType, 80) || SPEAKER_NAMES.custom
  const { role, customType: named } = (message ?? {}) as { role?: unknown; customType?: unknown }
  return readableLine(role === "custom" ? named : role, 80) || SPEAKER_NAMES.custom
}

function modelName(model: string | undefined): string {
  return model?.slice(model.indexOf("/") + 1) ?? ""
}

/** What some entries used. */
function SpentFacts({ usages }: { readonly usages: readonly ModelUsage[] }): JSX.Element | null {
  const { prices } = useViewer()
  const { input, output, cacheRead, cacheWrite, totalTokens } = sumOfUsages(usages)
  if (totalTokens === 0) return null
  const cost = prices.costOf(usages)
  const title = `Tokens of this call: ${input} in, ${output} out, ${cacheRead} read from the cache, ${cacheWrite} written to it`
  return (
    <span class="spent" title={title}>
      {tokensText(totalTokens)}
      <span class="unseen"> tokens</span>
      {knownCost(cost) > 0 && ` · ${costText(cost)}`}
    </span>
  )
}

/** Buttons for the other branches that start here. */
function ForkSwitch({ ordinal, fork }: { readonly ordinal: number; readonly fork: Fork }): JSX.Element {
  const viewer = useViewer()
  const { branches, at } = fork
  return (
    <span class="fork">
      <IconButton
        icon="chevron"
        label="Previous branch"
        shortcut="["
        class="small back"
        onClick={() => viewer.goToBranch(ordinal, -1)}
      />
      <span>
        <span class="unseen">Branch </span>
        {at + 1} of {branches.length}
      </span>
      <IconButton
        icon="chevron"
        label="Next branch"
        shortcut="]"
        class="small"
        onClick={() => viewer.goToBranch(ordinal, 1)}
      />
      <IconButton
        icon="columns"
        label="Show both side by side"
        shortcut="b"
        class="small"
        onClick={() => viewer.setBeside(branches[(at + 1) % branches.length])}
      />
    </span>
  )
}
