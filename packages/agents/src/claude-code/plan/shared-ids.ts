import { isCommand, isTyped } from "../source/prompt-text.js"
import type { SourceIndex } from "../source/source-index.js"
import { contentOf, type SourceRecord } from "../source/source-record.js"

/**
 * Gateways give all their responses one id, such as `chatcmpl-0`, and name no request: keeps their responses apart. That an id is shared is
 * seen from a line that goes on behind a prompt, or behind results or notes of the client when the response had stopped.
 * @param indexes the files of a session, with the keys of their records complete
 * @returns false where a line with an id that was there before hangs on one that is not among these
 */
export function separateResponses(indexes: readonly SourceIndex[]): boolean {
  const files = indexes.map(({ records }) => new FileReplies(records))
  const shared = new Set(files.flatMap((file) => [...file.sharedIds]))
  const isSure = !files.some(({ isLacking }) => isLacking)
  if (shared.size === 0) return isSure
  /** By id and time: the lines before, which others may repeat, also in other files. */
  const seen = new Map<string, SourceRecord[]>()
  for (const { replies } of files) {
    const keys = new Map<string, string>()
    for (const { record, isNew } of replies) {
      const { message, time, uuid, isSidechain } = record
      if (message === undefined || !shared.has(message)) continue
      record.hasSharedId = true
      const place = `${message} ${time}`
      const before = seen.get(place) ?? []
      const repeated = before.find((one) => contentOf(one) === contentOf(record))
      const chain = `${message} ${isSidechain}`
      if (isNew || !keys.has(chain)) keys.set(chain, `${message}:${uuid ?? record.id}`)
      record.key = repeated ? repeated.key : keys.get(chain)
      seen.set(place, [...before, record])
    }
  }
  return isSure
}

/** What stands between two requests. Results may stand within a response, since calls run while it is written. */
const ENDS: ReadonlySet<string> = /* @__PURE__ */ new Set(["result", "prompt", "meta", "queued"])

interface Reply {
  readonly record: SourceRecord
  /** Whether it begins another response than the line before it that has the same id. */
  readonly isNew: boolean
}

/** The replies of a file that name no request, and whose message has an id. */
class FileReplies {
  readonly replies: readonly Reply[]
  readonly sharedIds = new Set<string>()
  /** Whether a line hangs on one that is not there, so that whether its id is shared is not known. */
  isLacking = false
  readonly #records: readonly SourceRecord[]
  readonly #positions = new Map<string, number>()

  constructor(records: readonly SourceRecord[]) {
    this.#records = records
    /** By id, and whether it is of a side chain: the position of the line before. */
    const last = new Map<string, number>()
    const replies: Reply[] = []
    for (const [at, record] of records.entries()) {
      const { role, key, message, uuid, isSidechain } = record
      if (role === "reply" && message !== undefined && key === message) {
        const chain = `${message} ${isSidechain}`
        const before = last.get(chain)
        const isNew = before !== undefined && this.#startsAnew(record, at, before)
        if (isNew) this.sharedIds.add(message)
        replies.push({ record, isNew })
        last.set(chain, at)
      }
      if (uuid !== undefined && !this.#positions.has(uuid)) this.#positions.set(uuid, at)
    }
    this.replies = replies
  }

  /** @param before the position of the line before it that has the same id */
  #startsAnew(record: SourceRecord, position: number, before: number): boolean {
    const line = this.#records[before] as SourceRecord
    if (line.time === record.time && contentOf(line) === contentOf(record)) return false
    const hasEnded = line.hasStopped === true || isOtherPrompt(line, record)
    let [at, parent] = [position, record.parent]
    for (;;) {
      const above = parent === undefined ? undefined : this.#positions.get(parent)
      this.isLacking ||= parent !== undefined && above === undefined
      if (above === undefined || above <= before || above >= at) return false
      const { role, message, promptKind, parent: next } = this.#records[above] as SourceRecord
      if (role === "summary" || role === "boundary" || isTyped(promptKind) || isCommand(promptKind)) return true
      if (role === "reply") return message !== record.message
      if (hasEnded && ENDS.has(role)) return true
      at = above
      parent = next
    }
  }
}

/** Whether the requests of two lines had other tokens. */
function isOtherPrompt({ usage: a }: SourceRecord, { usage: b }: SourceRecord): boolean {
  const [before, after] = [a, b].map((one) => (one ? one.input + one.cacheRead + one.cacheWrite : 0))
  return before !== 0 && after !== 0 && before !== after
}
