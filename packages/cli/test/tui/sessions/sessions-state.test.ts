import fc from "fast-check"
import { expect, test } from "vitest"
import { moveByKey } from "../../../src/tui/frame/list-frame.js"
import { fieldWith } from "../../../src/tui/frame/text-field.js"
import {
  changeQuery,
  changeView,
  dropSession,
  type SessionsState,
  selectedRow,
  takeSessions,
} from "../../../src/tui/sessions/sessions-state.js"
import { broken, info, shownIds, stateWith, withSaid } from "./infos.js"

const query = (state: SessionsState, text: string): SessionsState => changeQuery(state, fieldWith(text))
const down = (state: SessionsState): SessionsState => ({
  ...state,
  window: moveByKey(state.window, "down", state.shown.length) ?? state.window,
  hasMoved: true,
})

test("the newest comes first, in whatever order sessions are found", () => {
  const state = takeSessions(stateWith([info("b", 2), info("d", 4)]), [info("c", 3), info("a", 1)], "project")
  expect(shownIds(state)).toEqual(["a", "b", "c", "d"])
})

test("a session that is found again is shown once, as it is now", () => {
  const state = takeSessions(stateWith([info("a", 1), info("b", 2)]), [info("b", 0, { name: "now" })], "project")
  expect(shownIds(state)).toEqual(["b", "a"])
  expect(state.shown[0]?.info.name).toBe("now")
})

test("until the user moves, the first row stays selected; then the same session", () => {
  const before = stateWith([info("b", 2), info("c", 3)])
  expect(selectedRow(takeSessions(before, [info("a", 1)], "project"))?.info.id).toBe("a")
  expect(selectedRow(takeSessions(down(before), [info("a", 1)], "project"))?.info.id).toBe("c")
})

test("a query looks into names, first messages, ids and what was said, whatever the case, accents and order", () => {
  const state = stateWith([
    info("one", 1, { name: "Résumé parser" }),
    info("two", 2, { firstMessage: "変更日志を更新" }),
    info("three", 3),
  ])
  const query = (before: SessionsState, text: string): SessionsState =>
    withSaid(changeQuery(before, fieldWith(text)), { three: ["something", "the Parser fails"] })
  expect(shownIds(query(state, "RESUME"))).toEqual(["one"])
  expect(shownIds(query(state, "更新"))).toEqual(["two"])
  expect(shownIds(query(state, "parser"))).toEqual(["one", "three"])
  expect(shownIds(query(state, "fails parser"))).toEqual(["three"])
  expect(shownIds(query(state, "fails first"))).toEqual(["three"])
  expect(shownIds(query(state, "thre"))).toEqual(["three"])
  expect(shownIds(query(state, "nothing"))).toEqual([])
})

test("what the index finds later brings its sessions in, and throws none out", () => {
  const state = query(stateWith([info("a", 1, { name: "flaky" }), info("b", 2), info("c", 3)]), "flaky")
  expect(shownIds(state)).toEqual(["a"])
  expect(shownIds(withSaid(state, { a: ["other"], b: ["other"], c: ["a flaky one"] }))).toEqual(["a", "c"])
})

test("the project's sessions are those of its folder; all are all", () => {
  const infos = [info("here", 1), info("there", 2, { cwd: "/home/me/other" })]
  const state = stateWith(infos, { scope: "all" })
  expect(shownIds(state)).toEqual(["here", "there"])
  const project = changeView(state, { scope: "project" })
  expect({ shown: shownIds(project), total: project.total }).toEqual({ shown: ["here"], total: 1 })
})

test("what cannot be read is shown where it lies", () => {
  const state = takeSessions(stateWith([broken("mine")]), [broken("mine"), broken("theirs")], "all")
  expect(shownIds(state)).toEqual(["mine"])
  expect(shownIds(changeView(state, { scope: "all" }))).toEqual(["mine", "theirs"])
})

test("sorted by name, named sessions come first, with numbers in their order; named only leaves the others out", () => {
  const infos = [
    info("x", 1, { name: "Part 10" }),
    info("y", 2, { name: "part 2" }),
    info("old", 4),
    info("new", 3, { created: 0 }),
  ]
  const byName = changeView(stateWith(infos), { sort: "name" })
  expect(shownIds(byName)).toEqual(["y", "x", "new", "old"])
  expect(shownIds(changeView(byName, { named: true }))).toEqual(["y", "x"])
  expect(shownIds(changeView(byName, { sort: "created" }))).toEqual(["x", "y", "old", "new"])
  expect(shownIds(changeView(byName, { sort: "activity" }))).toEqual(["x", "y", "new", "old"])
})

test("where a session goes, the next one is selected", () => {
  const state = down(stateWith([info("a", 1), info("b", 2), info("c", 3)]))
  expect(selectedRow(dropSession(state, "/store/b.jsonl"))?.info.id).toBe("c")
  const last = down(state)
  expect(selectedRow(dropSession(last, "/store/c.jsonl"))?.info.id).toBe("b")
})

test("however a query came about, and whenever sessions and answers arrived, it shows what a fresh look would", () => {
  const WORDS = ["ab", "abc", "が", "か", "b c", "éa", " "]
  const word = fc.constantFrom(...WORDS)
  const step = fc.oneof(
    fc.record({
      kind: fc.constant("query" as const),
      text: fc.array(word, { maxLength: 3 }).map((all) => all.join("")),
    }),
    fc.record({ kind: fc.constant("type" as const), text: word }),
    fc.record({ kind: fc.constant("found" as const), at: fc.nat(9), text: word }),
    fc.record({ kind: fc.constant("read" as const), at: fc.nat(9), text: word }),
    fc.record({
      kind: fc.constant("view" as const),
      named: fc.boolean(),
      scope: fc.constantFrom("all" as const, "project" as const),
    }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let state = stateWith([])
      for (const made of steps) {
        if (made.kind === "query") state = query(state, made.text)
        else if (made.kind === "type") state = query(state, state.query.text + made.text)
        else if (made.kind === "view") state = changeView(state, { named: made.named, scope: made.scope })
        else if (made.kind === "read") state = withSaid(state, { [`s${made.at}`]: [made.text] })
        else {
          const cwd = made.at % 2 === 0 ? undefined : { cwd: "/other" }
          const name = made.at % 3 === 0 ? { name: made.text } : {}
          state = takeSessions(
            state,
            [info(`s${made.at}`, made.at, { firstMessage: made.text, ...cwd, ...name })],
            "all",
          )
        }
      }
      const fresh = changeView(query({ ...state, query: fieldWith("x"), shown: state.rows }, state.query.text), {})
      expect(shownIds(state)).toEqual(shownIds(fresh))
      expect(shownIds(state)).toEqual([...shownIds(state)].sort())
    }),
  )
})
