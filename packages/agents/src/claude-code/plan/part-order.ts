import type { SourceRecord } from "../source/source-record.js"

/** The transcript of a sub-agent, in a file of its own or within that of the session, or a result that was kept in a file. */
export interface PartPlace {
  /** Of the artifact. */
  readonly name: string
  /** When it began, where that is known. */
  readonly time?: string | undefined
  /** The call that it works for, where its own lines say so. */
  readonly call?: string | undefined
}

/** A part, with the call that it belongs to, where one is known. */
export type CalledPart = Pick<PartPlace, "name" | "call">

/** Where the parts of a session stand: behind the result that belongs to them, and the others where they began. */
export class PartOrder {
  readonly #called = new Map<SourceRecord, readonly CalledPart[]>()
  /** By time; what has none is last. */
  readonly #waiting: PartPlace[]

  constructor(parts: readonly PartPlace[], records: readonly SourceRecord[]) {
    const left = new Set(parts)
    const byName = new Map(parts.map((part) => [part.name, part]))
    const byAgent = new Map(parts.map((part) => [agentOf(part), part]))
    const byCall = new Map(parts.map((part) => [part.call ?? callIn(part.name), part]))
    byCall.delete(undefined)
    for (const record of left.size === 0 ? [] : records) {
      const called: CalledPart[] = []
      const add = (part: PartPlace | undefined, call: string | undefined): void => {
        if (part && left.delete(part)) called.push({ name: part.name, call: part.call ?? call })
      }
      const { answers = [], agentId = "" } = record
      if (answers.length > 0) add(byAgent.get(agentId), answers[0]?.call)
      for (const { call, file = "" } of answers) {
        add(byCall.get(call), call)
        add(byName.get(file), call)
      }
      if (called.length > 0) this.#called.set(record, called)
    }
    this.#waiting = [...left].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
  }

  /** The parts that belong to the calls which a line of results answers. */
  behind(record: SourceRecord): readonly CalledPart[] {
    return this.#called.get(record) ?? []
  }

  /** The next of the others, if it began before a time: any, where that is undefined. */
  next(time: string | undefined): CalledPart | undefined {
    const [part] = this.#waiting
    const isDue = part && (time === undefined || (part.time !== undefined && part.time < time))
    return isDue ? this.#waiting.shift() : undefined
  }
}

/** The id of the agent, as the name of its file has it. */
export function agentOf({ name }: Pick<PartPlace, "name">): string {
  return name.slice(name.lastIndexOf("/") + 1).replace(/^agent-|\.jsonl$/g, "")
}

/** Whether a file beside a session is a result that was too long for it. */
export function isKeptResult(name: string): boolean {
  return name.startsWith("tool-results/")
}

/** The id of the call, as the name of a result has it that was kept outside. */
export function callIn(name: string): string | undefined {
  return /^tool-results\/(toolu_\w+)/.exec(name)?.[1]
}

function orderOf({ time = "~", name }: PartPlace): string {
  return `${time} ${name}`
}
