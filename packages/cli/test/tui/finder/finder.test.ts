import { expect, test } from "vitest"
import { key, text } from "../look.js"
import { finderOf, Rows, row, SIZE, titles } from "./rows.js"

const THREE = [row("alpha", 1), row("beta", 2), row("alphabet", 3)]

test("finds as you type, and Enter picks what answers what was typed", async () => {
  const finder = finderOf(new Rows(THREE))
  for (const press of [text("bet"), key("down"), key("enter")]) finder.press(press)
  expect(await finder.outcome).toMatchObject({ found: { title: "beta" }, action: "go-on" })
})

test("Tab lists hits and prompts of the same query, and Shift-Tab those of this project", async () => {
  const rows = new Rows(THREE)
  const finder = finderOf(rows, "alpha")
  for (const press of ["tab", "tab", "tab", "shift-tab"] as const) {
    finder.press(key(press))
    await expect.poll(() => titles(finder)).toEqual(["alpha", "alphabet"])
  }
  expect(rows.asked.slice(1).map(({ view, scope, query }) => [view, scope, query])).toEqual([
    ["hits", "all", "alpha"],
    ["prompts", "all", "alpha"],
    ["sessions", "all", "alpha"],
    ["sessions", "project", "alpha"],
  ])
})

test("what streams in leaves the first row selected until you move, and then the same one", async () => {
  const rows = new Rows([row("a", 1), row("b", 2)])
  const finder = finderOf(rows)
  await expect.poll(() => titles(finder)).toEqual(["a", "b"])
  rows.rows = [row("new", 0), ...rows.rows]
  finder.progressed("indexed 1/2")
  await expect.poll(() => titles(finder)).toEqual(["new", "a", "b"])
  expect(finder.state.window.selected).toBe(0)
  finder.press(key("down"))
  rows.rows = [row("newer", 0), ...rows.rows]
  finder.progressed("")
  await expect.poll(() => finder.state.window.selected).toBe(2)
  expect(titles(finder)[2]).toBe("a")
})

test("more rows are asked for where the end is near, and no more than there are", async () => {
  const rows = new Rows(Array.from({ length: 150 }, (_, at) => row(`row ${at}`, at)))
  const finder = finderOf(rows)
  await expect.poll(() => titles(finder)).toHaveLength(40)
  finder.press(key("end"))
  await expect.poll(() => titles(finder)).toHaveLength(150)
  finder.press(key("end"))
  expect(rows.asked.map(({ limit }) => limit)).toEqual([40, 160])
})

test("a session is deleted at once, and Ctrl-Z restores it", async () => {
  const finder = finderOf(new Rows(THREE))
  await expect.poll(() => titles(finder)).toHaveLength(3)
  finder.press(key("ctrl-x"))
  await expect.poll(() => titles(finder)).toEqual(["beta", "alphabet"])
  expect(finder.state.notice).toBe("In the trash: alpha")
  finder.press(key("ctrl-z"))
  await expect.poll(() => titles(finder)).toHaveLength(3)
  finder.press(key("ctrl-z"))
  await expect.poll(() => finder.state.notice).toBe("There is nothing to undo.")
})

test("a name is written where the query stands; why it cannot be saved is shown", async () => {
  const rows = new Rows([row("alpha", 1, { isNamed: true })])
  const finder = finderOf(rows)
  await expect.poll(() => titles(finder)).toHaveLength(1)
  finder.press(key("ctrl-r"))
  expect(finder.state.naming?.field.text).toBe("alpha")
  for (const press of [key("ctrl-u"), text("busy"), key("enter")]) finder.press(press)
  await expect.poll(() => finder.state.notice).toBe("Someone has it.")
  for (const press of [key("ctrl-r"), text("bet"), key("enter")]) finder.press(press)
  await expect.poll(() => rows.did).toEqual(["alpha is alphabet"])
  finder.press(key("ctrl-p"))
  await expect.poll(() => rows.did).toEqual(["alpha is alphabet", "copied alpha"])
})

test("what cannot be read is not picked", async () => {
  const finder = finderOf(new Rows([row("broken", 1, { error: "it is no session" })]))
  await expect.poll(() => titles(finder)).toHaveLength(1)
  finder.press(key("enter"))
  expect(finder.state.notice).toBe("Cannot read this session: it is no session")
  expect(finder.hasEnded).toBe(false)
})

test("an error without a sentence ends the finder with it", async () => {
  const finder = finderOf(new Rows([]))
  finder.failed(new Error("unexpected"))
  await expect(finder.outcome).rejects.toThrow("unexpected")
})

test("Ctrl-O reads from the row on, what is before it above, and goes back to the same place", async () => {
  const finder = finderOf(new Rows(THREE))
  await expect.poll(() => titles(finder)).toHaveLength(3)
  for (const press of ["down", "ctrl-o"] as const) finder.press(key(press))
  const lines = () => finder.frame(SIZE).lines
  await expect.poll(() => lines()[0]).toBe("beta 0")
  finder.press(text(" "))
  expect(lines()[0]).toBe("beta 22")
  finder.press(text("G"))
  expect(lines().slice(-2)).toEqual(["beta 49", expect.stringContaining("(end)")])
  finder.press(text("g"))
  expect(lines().slice(0, 3)).toEqual(["before 1", "before 2", "beta 0"])
  finder.press(text("q"))
  expect(lines()[3]).toMatch(/^> .*beta/)
  expect(finder.state.field.text).toBe("")
})
