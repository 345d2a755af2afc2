import type { Session, SessionManager, SessionTreeNode } from "@treelog/session-core"
import { verifySession } from "@treelog/session-core/maintenance"
import { tries, userMessage } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { givenManager, idsOf, keyOf } from "./given-manager.js"
import { TreeModel } from "./tree-model.js"

type Step = [
  does:
    | "say"
    | "note"
    | "branch"
    | "reset"
    | "label"
    | "unlabel"
    | "summary"
    | "mark"
    | "name"
    | "reload"
    | "cut"
    | "fork",
  pick: number,
]

const step: fc.Arbitrary<Step> = fc.tuple(
  fc.oneof(
    { weight: 4, arbitrary: fc.constant("say" as const) },
    fc.constantFrom("note", "branch", "branch", "reset", "label", "label", "unlabel", "summary"),
    fc.constantFrom("mark", "name", "reload", "cut", "fork"),
  ) as fc.Arbitrary<Step[0]>,
  fc.nat(1000),
)

/** A session and the model of it, taking the same steps. */
class Pair {
  readonly #sessions: SessionManager
  session: Session
  model = new TreeModel()

  constructor(sessions: SessionManager, session: Session) {
    this.#sessions = sessions
    this.session = session
  }

  async take([does, pick]: Step): Promise<void> {
    const { session, model } = this
    const some = model.entries[pick % Math.max(1, model.entries.length)]?.id
    if (does === "say") model.add(session.appendMessage(userMessage(`${pick}`)), "message")
    else if (does === "note") model.add(session.appendCustomEntry("note", pick), "custom")
    else if (does === "mark") model.add(session.persistLeaf(), "custom")
    else if (does === "name") this.#name(pick % 4 === 0 ? "" : `name ${pick}`)
    else if (does === "reload") await this.#reload()
    else if (does === "fork") await this.#fork()
    else if (does === "reset") {
      session.resetLeaf()
      model.leaf = null
    } else if (some !== undefined) await this.#takeOn(does, some, pick)
  }

  async #takeOn(does: Step[0], id: string, pick: number): Promise<void> {
    const { session, model } = this
    if (does === "branch") {
      session.branch(id)
      model.leaf = id
    } else if (does === "label") {
      const label = `label ${pick}`
      model.add(session.appendLabelChange(id, label), "label", { targetId: id, label })
    } else if (does === "unlabel") model.add(session.appendLabelChange(id, undefined), "label", { targetId: id })
    else if (does === "summary") {
      const parentId = pick % 5 === 0 ? null : id
      model.add(session.branchWithSummary(parentId, "was there"), "branch_summary", { parentId })
    } else if (does === "cut") await this.#cut(id, pick % 2 === 0)
  }

  #name(name: string): void {
    this.model.add(this.session.appendSessionInfo(name), "session_info")
    this.model.name = name || undefined
  }

  async #reload(): Promise<void> {
    await this.session.close()
    this.session = await this.#sessions.open(keyOf(this.session))
    this.model.leaf = this.model.entries.at(-1)?.id ?? null
  }

  async #fork(): Promise<void> {
    await this.session.close()
    const fork = await this.#sessions.forkFrom(keyOf(this.session), "/forked")
    this.session = fork
    this.model.leaf = this.model.entries.at(-1)?.id ?? null
  }

  /** Makes a branch of its own and goes on with it, or stays with the source. */
  async #cut(id: string, goOn: boolean): Promise<void> {
    const branch = await this.session.createBranchedSession(id)
    const model = this.model.branchedAt(id)
    const copied = model.entries.length
    model.adopt(branch.getEntries().slice(copied))
    const labels = [...this.model.labels()].filter(([target]) => model.entries.some((entry) => entry.id === target))
    expect(new Map(model.labels())).toEqual(new Map(labels))
    expect(new Set(model.entries.slice(copied).map(({ type }) => type)).size).toBeLessThanOrEqual(2)
    const pair = new Pair(this.#sessions, branch)
    pair.model = model
    pair.check()
    await (goOn ? this.session : branch).close()
    if (goOn) [this.session, this.model] = [branch, model]
  }

  check(): void {
    const { session, model } = this
    expect(session.getLeafId()).toBe(model.leaf)
    expect(session.getEntries().map(({ id, parentId, type }) => [id, parentId, type])).toEqual(
      model.entries.map(({ id, parentId, type }) => [id, parentId, type]),
    )
    expect(idsOf(session.getBranch())).toEqual(model.pathTo(model.leaf))
    expect(session.buildSessionContext().entries).toEqual(model.messagesTo(model.leaf))
    expect(session.getSessionName()).toBe(model.name)
    expect(session.getDiagnostics()).toEqual([])
    this.#checkTree()
  }

  #checkTree(): void {
    const { session, model } = this
    const tree = session.getTree()
    const labels = new Map<string, string>()
    const seen: string[] = []
    const waiting: SessionTreeNode[] = [...tree]
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      seen.push(node.entry.id)
      if (node.label !== undefined) labels.set(node.entry.id, node.label)
      expect(idsOf(node.children.map(({ entry }) => entry))).toEqual(model.children(node.entry.id))
      waiting.push(...node.children)
    }
    expect(idsOf(tree.map(({ entry }) => entry))).toEqual(model.children(null))
    expect(seen.sort()).toEqual(model.entries.map(({ id }) => id).sort())
    expect(labels).toEqual(model.labels())
  }
}

describe("a session", () => {
  it("is at every step what a simple model of it is, whatever one does with it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const { sessions } = givenManager()
        const pair = new Pair(sessions, await sessions.create("/project", { persist: "create" }))
        for (const one of steps) {
          await pair.take(one)
          pair.check()
        }
        await pair.take(["reload", 0])
        pair.check()
        await pair.session.close()
        expect((await verifySession(sessions, keyOf(pair.session))).diagnostics).toEqual([])
      }),
      { numRuns: tries(120) },
    )
  })
})
