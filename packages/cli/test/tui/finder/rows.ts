import type { SearchHit } from "@treelog/session-core/search"
import { TEST_START } from "@treelog-internal/test-kit"
import type { FindAnswer, FinderActions, FindRequest, Found } from "../../door.js"
import { Finder } from "../../door.js"
import { LOOK } from "../look.js"

type Snippet = SearchHit["snippet"]

const HOUR = 3_600_000

/** A row, `hours` old. */
export function row(title: string, hours: number, more: Partial<Found<string>> = {}): Found<string> {
  const facts = ["2 messages"]
  return {
    source: title,
    key: title,
    id: title,
    title,
    time: TEST_START - hours * HOUR,
    cwd: "/home/me/shop",
    facts,
    ...more,
  }
}

export function snippet(text: string, term: string): Snippet {
  const from = text.indexOf(term)
  return { text, matches: [[from, from + term.length]], isCutBefore: false, isCutAfter: false }
}

/** What the finder asked for, and what it gets. */
export class Rows implements FinderActions<string> {
  readonly asked: FindRequest[] = []
  readonly did: string[] = []
  /** The id of what was renamed to this cannot be. */
  readonly faultOf = (error: unknown): string | undefined => (error instanceof RangeError ? error.message : undefined)

  constructor(public rows: readonly Found<string>[]) {}

  async find(request: FindRequest): Promise<FindAnswer<string>> {
    this.asked.push(request)
    const fits = this.rows.filter(({ title }) => title.includes(request.query))
    return { request, rows: fits.slice(0, request.limit), isMore: fits.length > request.limit, total: this.rows.length }
  }

  async preview({ title }: Found<string>) {
    return { before: { who: "user", text: `why ${title}?` }, after: { who: "assistant", text: `since ${title}` } }
  }

  async read({ title }: Found<string>) {
    const lines = Array.from({ length: 50 }, (_, at) => `${title} ${at}`)
    return { lines: lines.values(), earlier: () => ["before 1", "before 2"], found: [] }
  }

  async rename({ title }: Found<string>, name: string): Promise<string> {
    if (name === "busy") throw new RangeError("Someone has it.")
    this.did.push(`${title} is ${name}`)
    return "Name saved."
  }

  async remove({ title, key }: Found<string>) {
    const before = this.rows
    this.rows = before.filter((row) => row.key !== key)
    const undo = async (): Promise<string> => {
      this.rows = before
      return "Restored."
    }
    return { notice: `In the trash: ${title}`, undo }
  }

  copy(text: string): void {
    this.did.push(`copied ${text}`)
  }
}

export const SIZE = { columns: 80, rows: 24 }

export function finderOf(rows: Rows, query = ""): Finder<string> {
  const finder = new Finder({ view: "sessions", query, scope: "all" }, rows, LOOK)
  finder.resize(SIZE)
  return finder
}

export function titles({ state }: Finder<string>): string[] {
  return state.answer.rows.map(({ title }) => title)
}
