import { type SessionInfo, TreelogError } from "@treelog/session-core"
import { expect, test, vi } from "vitest"
import { knownErrorMessage } from "../../../src/errors/command-message.js"
import type { SaidTerms } from "../../../src/search/sessions-saying.js"
import { type SaidRequest, type SessionActions, SessionPicker } from "../../../src/tui/sessions/session-picker.js"
import type { SessionScope } from "../../../src/tui/sessions/session-row.js"
import { key, LOOK, text } from "../look.js"
import { info, PROJECT, saidIn, shownIds, VIEW } from "./infos.js"

/** A store whose listings end when they are reported to. */
class Store implements SessionActions {
  readonly listed: SessionScope[] = []
  readonly asked: SaidRequest[] = []
  texts: [id: string, texts: readonly string[]][] = []
  indexing: Promise<void> = Promise.resolve()
  fault: Error | undefined
  readonly #waiting: (() => void)[] = []
  readonly faultOf = knownErrorMessage

  constructor(readonly infos: Readonly<Record<SessionScope, readonly SessionInfo[]>>) {}

  async *list(scope: SessionScope, signal: AbortSignal): AsyncGenerator<SessionInfo> {
    this.listed.push(scope)
    yield* this.infos[scope]
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve)
      signal.addEventListener("abort", () => resolve())
    })
  }

  finish(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  async said(request: SaidRequest): Promise<{ said: SaidTerms; isMore: boolean }> {
    this.asked.push(request)
    if (this.fault) throw this.fault
    const known = this.texts.slice(0, request.limit)
    return { said: saidIn(Object.fromEntries(known), request.terms), isMore: this.texts.length > request.limit }
  }

  async index(indexed: (progress: string, unreadable: number) => void): Promise<void> {
    indexed("Indexed 1 of 2 sessions", 0)
    await this.indexing
    indexed("", 1)
  }

  async rename(_: string, name: string): Promise<{ name: string | undefined; size: number }> {
    if (name === "busy")
      throw new TreelogError("SessionBusyError", "Someone has it.", { key: "", pid: 1, host: "", since: "" })
    return { name: name || undefined, size: 200 }
  }

  async moveToTrash(): Promise<string> {
    return "It is in the trash."
  }
}

function pickerOf(store: Store, query = ""): SessionPicker {
  return new SessionPicker({ cwd: PROJECT, view: VIEW, query, look: LOOK, work: store })
}

const OTHER = { cwd: "/elsewhere" }

test("a session can be taken while others are still looked for", async () => {
  const picker = pickerOf(new Store({ project: [info("a", 1)], all: [] }))
  await expect.poll(() => shownIds(picker.state)).toEqual(["a"])
  expect(picker.state.progress.isListing).toBe(true)
  picker.press(key("enter"))
  expect(await picker.outcome).toMatchObject({ id: "a" })
  await picker.stop()
})

test("all sessions are looked for when they are asked for, and only once", async () => {
  const store = new Store({ project: [info("a", 1)], all: [info("a", 1), info("b", 2, OTHER)] })
  const picker = pickerOf(store)
  await expect.poll(() => shownIds(picker.state)).toEqual(["a"])
  store.finish()
  await expect.poll(() => picker.state.progress.isListing).toBe(false)
  for (let times = 0; times < 4; times++) picker.press(key("tab"))
  picker.press(key("tab"))
  await expect.poll(() => shownIds(picker.state)).toEqual(["a", "b"])
  expect(picker.state.progress.isListing).toBe(true)
  store.finish()
  await expect.poll(() => picker.state.progress.isListing).toBe(false)
  expect(store.listed).toEqual(["project", "all"])
})

test("the index is asked for a query only, again for more, and again as it grows", async () => {
  const store = new Store({ project: [info("a", 1), info("b", 2)], all: [] })
  store.texts = [
    ...Array.from({ length: 64 }, (_, at) => [`x${at}`, ["a prompt"]] as [string, string[]]),
    ["a", ["prompt"]],
  ]
  let finish: () => void = () => {}
  store.indexing = new Promise((resolve) => {
    finish = resolve
  })
  const picker = pickerOf(store)
  await expect.poll(() => picker.state.rows).toHaveLength(2)
  expect(store.asked).toEqual([])
  picker.press(text("prompt"))
  await expect.poll(() => shownIds(picker.state)).toEqual(["a"])
  expect(store.asked.at(-1)).toEqual({ terms: ["prompt"], scope: "project", limit: 512 })
  await expect.poll(() => picker.state.progress.isSearching).toBe(false)
  expect(picker.state.progress).toMatchObject({ indexing: "Indexed 1 of 2 sessions" })
  store.texts.push(["b", ["another prompt"]])
  finish()
  await expect.poll(() => shownIds(picker.state)).toEqual(["a", "b"])
  expect(picker.state.progress).toMatchObject({ indexing: "", unreadable: 1 })
  await picker.stop()
})

test("without an index titles are searched, and why is said", async () => {
  const store = new Store({ project: [info("a", 1), info("b", 2)], all: [] })
  store.fault = new TreelogError("IndexUnavailableError", "Searching needs SQLite.", { reason: "not-installed" })
  const picker = pickerOf(store, "first of b")
  await expect.poll(() => picker.state.progress.unindexed).toContain("Searching needs SQLite.")
  await expect.poll(() => shownIds(picker.state)).toEqual(["b"])
  picker.press(text("x"))
  expect(shownIds(picker.state)).toEqual([])
  expect(store.asked).toHaveLength(1)
  await picker.stop()
})

test("an index that fails for a reason of its own fails the picker", async () => {
  const store = new Store({ project: [info("a", 1)], all: [] })
  store.fault = new Error("unexpected")
  await expect(pickerOf(store, "x").outcome).rejects.toThrow("unexpected")
})

test("a new name is shown, and so is why there is none", async () => {
  const picker = pickerOf(new Store({ project: [info("a", 1)], all: [] }))
  await expect.poll(() => picker.state.shown).toHaveLength(1)
  for (const press of [key("ctrl-r"), text("busy"), key("enter")]) picker.press(press)
  await expect.poll(() => picker.state.notice).toBe("Someone has it.")
  for (const press of [key("ctrl-r"), text("new"), key("enter")]) picker.press(press)
  await expect.poll(() => picker.state).toMatchObject({ notice: "Name saved.", mode: { kind: "browse" } })
  expect(picker.state.shown[0]?.info).toMatchObject({ name: "new", size: 200 })
  await picker.stop()
})

test("what is moved to the trash is gone from the list", async () => {
  const picker = pickerOf(new Store({ project: [info("a", 1), info("b", 2)], all: [] }))
  await expect.poll(() => picker.state.shown).toHaveLength(2)
  picker.press(key("ctrl-d"))
  picker.press(text("y"))
  await expect.poll(() => picker.state.notice).toBe("It is in the trash.")
  expect(shownIds(picker.state)).toEqual(["b"])
  await picker.stop()
})

test("Escape leaves, and what goes on in the background ends", async () => {
  const store = new Store({ project: [info("a", 1)], all: [] })
  const picker = pickerOf(store)
  await expect.poll(() => picker.state.shown).toHaveLength(1)
  picker.press(key("escape"))
  expect(await picker.outcome).toBeUndefined()
  await picker.stop()
  picker.press(key("enter"))
  expect(await picker.outcome).toBeUndefined()
})

test("a listing that fails for a reason of its own fails the picker", async () => {
  const store = new Store({ project: [], all: [] })
  vi.spyOn(store, "list").mockImplementation(() => {
    throw new Error("unexpected")
  })
  await expect(pickerOf(store).outcome).rejects.toThrow("unexpected")
})
