import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SessionManager as Pi } from "@earendil-works/pi-coding-agent"
import { SessionManager } from "@treelog/pi"
import fc from "fast-check"
import { expect, test } from "vitest"
import { assistant, comparable } from "./messages.js"

// Random calls on pi's own SessionManager and on ours: what each returns and throws, everything that can be asked for afterwards, and the
// file. Left out is what the package does otherwise on purpose (its README): `fromId` of a branch summary, branches behind labels.

/** An entry that was appended earlier, or an unknown one. */
interface Earlier {
  readonly nth: number
}

type Call = readonly [method: string, ...args: unknown[]]

const text = fc.constantFrom("", "a", " b\n c ", "é\u2028", "x".repeat(50), "\ud800", "\0")
const earlier = fc.nat(30).map((nth): Earlier => ({ nth }))
const details = fc.constantFrom<unknown>(undefined, null, { a: [1, undefined], b: undefined }, 0, "")
const flag = fc.constantFrom(undefined, true, false)
const image = { type: "image", data: "QUJD", mimeType: "image/png" }
const block = fc.oneof(
  text.map((text) => ({ type: "text", text })),
  fc.constant(image),
)
const content = fc.oneof(text, fc.array(block, { maxLength: 2 }))
const role = fc.constantFrom("user", "toolResult", "custom", "bashExecution", "branchSummary", "unknown")
const timestamp = fc.option(fc.integer({ min: 1, max: 1e12 }), { nil: undefined })
const message = fc.oneof(fc.record({ role, content, timestamp }), text.map(assistant))
const newOptions = fc.constantFrom(undefined, {}, { parentSession: "/x.jsonl" }, { parentSession: "" }, { id: "Own-1" })

const call = (method: string, ...args: fc.Arbitrary<unknown>[]): fc.Arbitrary<Call> =>
  fc.tuple(fc.constant(method), ...args) as fc.Arbitrary<Call>

const calls = fc.oneof(
  { weight: 6, arbitrary: call("appendMessage", message) },
  call("appendThinkingLevelChange", fc.constantFrom("high", "off", "")),
  call("appendModelChange", text, text),
  { weight: 2, arbitrary: call("appendCompaction", text, earlier, fc.nat(100), details, flag) },
  call("appendCustomEntry", text, details),
  call("appendSessionInfo", fc.constantFrom("", " a ", "é")),
  call("appendCustomMessageEntry", text, content, fc.boolean(), details),
  { weight: 2, arbitrary: call("appendLabelChange", earlier, fc.option(text, { nil: undefined })) },
  { weight: 2, arbitrary: call("branch", earlier) },
  call("resetLeaf"),
  call("branchWithSummary", fc.option(earlier), text, details, flag),
  call("newSession", newOptions),
  call("open"),
  call("setSessionFile"),
  call("forkFrom"),
  call("continueRecent"),
)

/** A manager, and what the calls so far gave. */
class Run {
  readonly #Manager: typeof Pi
  readonly #dir = mkdtempSync(join(tmpdir(), "treelog-pi-"))
  readonly #ids = ["unknown"]
  readonly #seen: unknown[] = []
  #manager: Pi

  constructor(Manager: typeof Pi, inMemory: boolean) {
    this.#Manager = Manager
    this.#manager = inMemory ? Manager.inMemory("/project") : Manager.create("/project", this.#dir)
  }

  of(program: readonly Call[]): string {
    for (const [method, ...args] of program) {
      const ids = args.map((arg) => (isEarlier(arg) ? this.#ids[arg.nth % this.#ids.length] : arg))
      this.#seen.push([method, this.#outcome(method, ids), this.#state()])
    }
    const seen = JSON.stringify(this.#seen).replaceAll(this.#dir, "DIR")
    rmSync(this.#dir, { recursive: true })
    return comparable(seen.replace(/(\\?"fromId\\?":)\\?"\w+\\?"/g, "$1null"))
  }

  #outcome(method: string, args: unknown[]): unknown {
    try {
      const ofFiles = this.#ofFiles.get(method)
      if (ofFiles) return ofFiles()
      const given = (this.#manager as unknown as Record<string, (...args: unknown[]) => unknown>)[method]?.(...args)
      if (typeof given === "string" && this.#manager.getEntry(given)) this.#ids.push(given)
      return given
    } catch (error) {
      return (error as Error).message.replace(/Entry \w+ /, "Entry ID ")
    }
  }

  readonly #ofFiles = new Map<string, () => void>([
    ["open", () => this.#withFile((file) => this.#Manager.open(file, this.#dir))],
    ["forkFrom", () => this.#withFile((file) => this.#Manager.forkFrom(file, "/project", this.#dir))],
    ["continueRecent", () => this.#withFile((file) => this.#continueRecent(file))],
    ["setSessionFile", () => this.#setSessionFile()],
  ])

  #continueRecent(file: string): Pi {
    for (const name of readdirSync(this.#dir)) utimesSync(join(this.#dir, name), 1, 1)
    utimesSync(file, 2, 2)
    return this.#Manager.continueRecent("/project", this.#dir)
  }

  /** In memory, that of a file with the same entries. */
  #setSessionFile(): void {
    const manager = this.#manager
    const file = manager.getSessionFile() ?? join(this.#dir, "other.jsonl")
    if (!manager.isPersisted()) {
      const lines = [manager.getHeader(), ...manager.getEntries()].map((entry) => `${JSON.stringify(entry)}\n`)
      writeFileSync(file, lines.join(""))
    }
    if (existsSync(file)) manager.setSessionFile(file)
  }

  #withFile(next: (file: string) => Pi): void {
    const file = this.#manager.getSessionFile()
    if (this.#manager.isPersisted() && file && existsSync(file)) this.#manager = next(file)
  }

  #state(): unknown {
    const manager = this.#manager
    const file = manager.getSessionFile()
    return {
      is: [manager.isPersisted(), manager.getCwd(), manager.getSessionDir(), manager.getSessionId(), file],
      named: [manager.getSessionName(), manager.getHeader(), manager.getLeafId(), manager.getLeafEntry()],
      entries: manager.getEntries(),
      tree: manager.getTree().map(nested),
      branch: manager.getBranch().map(({ id }) => id),
      context: manager.buildSessionContext(),
      of: this.#ids.map((id) => [manager.getLabel(id), manager.getChildren(id).map((child) => child.id)]),
      file: file !== undefined && existsSync(file) && readFileSync(file, "utf8"),
    }
  }
}

function nested({ entry, label, children }: ReturnType<Pi["getTree"]>[number]): unknown {
  return [entry.id, label, children.map(nested)]
}

function isEarlier(arg: unknown): arg is Earlier {
  return typeof arg === "object" && arg !== null && "nth" in arg
}

test("any calls give what pi gives, and the same file", () => {
  fc.assert(
    fc.property(fc.array(calls, { maxLength: 25 }), fc.boolean(), (program, inMemory) => {
      const ours = new Run(SessionManager as typeof Pi, inMemory).of(program)
      expect(ours).toBe(new Run(Pi, inMemory).of(program))
    }),
    { numRuns: 60 },
  )
})
