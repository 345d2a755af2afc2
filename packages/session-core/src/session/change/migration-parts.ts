import type { SessionHeader } from "../../entry/header.js"
import { encodeText } from "../../log/format-line.js"
import { resplice } from "../../log/resplice.js"
import { BLOCK, type Part } from "../../log/splice.js"
import type { OldLog } from "../../migrate/old-log.js"
import type { ChangedRecord, MigrationPlan, NewLinks } from "../../migrate/plan-migration.js"

/** A migrated session, as it is made of the stored one; a torn last line is closed. */
export function migrationParts({ header, headerPlace, end }: OldLog, plan: MigrationPlan): Part[] {
  const parts = new MigrationParts()
  parts.change(headerChange(header, headerPlace, plan.header))
  for (const change of plan.changes) {
    if ("before" in change) parts.change(change)
    else parts.link(change)
  }
  parts.copyTo(end.size)
  return end.terminated ? parts.parts : [...parts.parts, { bytes: encodeText("\n") }]
}

function headerChange(
  before: SessionHeader,
  place: ChangedRecord["before"]["place"],
  after: SessionHeader,
): ChangedRecord {
  return { before: { value: { ...before }, place }, after: { value: { ...after }, place } }
}

class MigrationParts {
  readonly parts: Part[] = []
  /** Up to where there are parts. */
  #at = 0
  /** What comes in behind that. */
  #links: NewLinks[] = []

  change({ before, after }: ChangedRecord): void {
    const { offset, length } = before.place
    this.copyTo(offset)
    this.#at = offset + length
    this.parts.push({ from: offset, to: this.#at, change: (raw) => resplice(raw, before.value, after.value) })
  }

  link(links: NewLinks): void {
    if (links.offset - this.#at > BLOCK) this.copyTo(links.offset)
    this.#links.push(links)
  }

  copyTo(to: number): void {
    const last = this.#links.at(-1)
    if (last && to - this.#at > BLOCK) this.#copyWithLinks(last.offset)
    if (this.#links.length > 0) this.#copyWithLinks(to)
    else if (to > this.#at) this.parts.push({ from: this.#at, to })
    this.#at = to
  }

  #copyWithLinks(to: number): void {
    const [from, links] = [this.#at, this.#links]
    if (to > from) this.parts.push({ from, to, isPassing: true, change: (old) => withLinks(old, from, links) })
    else this.parts.push({ bytes: encodeText(links.map(textOf).join("")) })
    this.#at = to
    this.#links = []
  }
}

/** @param from where the old bytes begin in what is stored */
function withLinks(old: Uint8Array, from: number, links: readonly NewLinks[]): Uint8Array {
  const texts = links.map(textOf)
  // ASCII: a text has as many bytes as units.
  const added = encodeText(texts.join(""))
  const whole = new Uint8Array(old.length + added.length)
  let read = 0
  let taken = 0
  for (const [index, { offset }] of links.entries()) {
    const length = (texts[index] as string).length
    whole.set(old.subarray(read, offset - from), read + taken)
    whole.set(added.subarray(taken, taken + length), offset - from + taken)
    read = offset - from
    taken += length
  }
  whole.set(old.subarray(read), read + taken)
  return whole
}

function textOf({ id, parentId }: NewLinks): string {
  return `,"id":"${id}","parentId":${parentId === null ? "null" : `"${parentId}"`}`
}
