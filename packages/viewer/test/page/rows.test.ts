import {
  assistantEntry,
  bytesOf,
  chain,
  entry,
  messageEntry,
  sessionText,
  testHeader,
  userEntry,
} from "@treelog-internal/test-kit"
import { generateSession } from "@treelog-internal/test-kit/generator"
import { TREE_FILTERS } from "@treelog-internal/text"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import {
  branchPath,
  editOf,
  forkAt,
  modelContext,
  PageSession,
  rowsOfTree,
  type TreeRow,
  transcriptRows,
  usagePoints,
} from "./door.js"

function sessionOf(...entries: object[]): PageSession {
  return sessionOfText(sessionText(testHeader(), ...entries))
}

function sessionOfText(text: string): PageSession {
  const session = new PageSession("one")
  session.push(bytesOf(text).slice())
  session.settle(true)
  return session
}

const call = (id: string, name = "read") => ({ type: "toolCall", id, name, arguments: { path: `${id}.ts` } })
const calls = (id: string, parentId: string, ...ids: string[]) =>
  messageEntry(id, parentId, {
    role: "assistant",
    content: ids.map((one) => call(one)),
    provider: "p",
    model: "m",
  } as never)
const result = (id: string, parentId: string | null, toolCallId: string) =>
  messageEntry(id, parentId, { role: "toolResult", toolCallId, toolName: "read", content: [], isError: false } as never)

const pathOf = (session: PageSession) => branchPath(session, session.leaf())
const idAt = (session: PageSession) => (row: { ordinal: number }) => session.summary(row.ordinal).id

describe("The rows of a transcript", () => {
  test("have in one what is bookkeeping or for the model alone, but what was damaged, labelled or begins a branch in its own.", () => {
    const data = (id: string, parentId: string, customType = "queue") => entry("custom", id, parentId, { customType })
    const session = sessionOf(
      userEntry("u", null),
      data("d1", "u"),
      entry("custom_message", "hidden", "d1", { customType: "reminder", content: "Be brief", display: false }),
      messageEntry("system", "hidden", { role: "system", content: "You are an agent" } as never),
      entry("usage", "d2", "system", { model: "m" }),
      entry("custom_message", "shown", "d2", { customType: "note", content: "Look", display: true }),
      data("damaged", "shown", "treelog.damaged"),
      data("d3", "damaged"),
      data("labelled", "d3"),
      entry("label", "l", "labelled", { targetId: "labelled", label: "here" }),
      data("d4", "l"),
      data("d5", "d4"),
      userEntry("other", "d4"),
      userEntry("end", "d5"),
    )
    const { rows, rowOf } = transcriptRows(session, pathOf(session))
    const idsOf = (ordinals: readonly number[]) => ordinals.map((ordinal) => session.summary(ordinal).id).join()
    expect(rows.map(({ quiet, ordinal }) => idsOf(quiet ?? [ordinal]))).toEqual([
      "u",
      "d1,hidden,system,d2",
      "shown",
      "damaged",
      "d3",
      "labelled",
      "l,d4",
      "d5",
      "end",
    ])
    expect([rowOf.get(1), rowOf.get(3)]).toEqual([1, 1])
    expect(rows.map(({ inContext }) => inContext).slice(0, 4)).toEqual([true, true, true, false])
  })

  test("have the results of tools with their calls.", () => {
    const session = sessionOf(
      userEntry("u", null),
      calls("a", "u", "1", "2"),
      result("r2", "a", "2"),
      result("r1", "r2", "1"),
    )
    const { rows, rowOf } = transcriptRows(session, pathOf(session))
    expect(rows.map(idAt(session))).toEqual(["u", "a"])
    expect([...(rows[1]?.results ?? [])]).toEqual([
      ["2", 2],
      ["1", 3],
    ])
    expect(rowOf.get(3)).toBe(1)
  })

  test("have results of their own where nobody asked, where it was asked before, and where a branch begins.", () => {
    const session = sessionOf(
      result("lost", null, "0"),
      calls("a", "lost", "1"),
      result("r1", "a", "1"),
      result("again", "r1", "1"),
      calls("b", "again", "2"),
      userEntry("other", "b"),
      result("r2", "b", "2"),
    )
    const { rows } = transcriptRows(session, pathOf(session))
    expect(rows.map(idAt(session))).toEqual(["lost", "a", "again", "b", "r2"])
    expect(rows[4]?.fork).toMatchObject({ at: 1 })
  })

  test("show what the model still gets, and what was edited for it.", () => {
    const session = sessionOf(
      ...chain(
        userEntry("u1", null),
        assistantEntry("a1", null),
        userEntry("u2", null),
        entry("compaction", "c", null, { summary: "S", firstKeptEntryId: "u2", tokensBefore: 10 }),
        entry("context_edit", "e", null, { targetId: "u2", replacement: null }),
        assistantEntry("a2", null),
      ),
    )
    const { rows } = transcriptRows(session, pathOf(session))
    expect(rows.filter(({ inContext }) => inContext).map(idAt(session))).toEqual(["c", "a2"])
    expect(rows.filter(({ edited }) => edited).map(idAt(session))).toEqual(["u2"])
  })

  test("have a result that was edited for the model in the row of its call.", () => {
    const session = sessionOf(
      userEntry("u", null),
      calls("a", "u", "1", "2"),
      result("r1", "a", "1"),
      result("r2", "r1", "2"),
      entry("context_edit", "e1", "r2", { targetId: "r1", replacement: { content: "first" } }),
      entry("context_edit", "e2", "e1", { targetId: "r1", replacement: { content: "cut" } }),
      entry("context_edit", "e3", "e2", { targetId: "r2", replacement: null }),
    )
    const { rows } = transcriptRows(session, pathOf(session))
    expect(rows.map(idAt(session)).slice(0, 2)).toEqual(["u", "a"])
    expect(rows.some(({ edited }) => edited)).toBe(false)
    const [first = -1, second = -1] = ["1", "2"].map((id) => rows[1]?.results.get(id))
    const edits = [first, second].map((ordinal) => editOf(session, rows[1]?.edits.get(ordinal) ?? -1))
    expect(edits).toEqual([{ content: "cut" }, null])
  })

  test("agree with the core on what the model gets, on any branch.", () => {
    const text = [
      ...generateSession({ seed: 9, style: "pi", entries: 400, branching: 0.1, compactions: 4, edits: 0.2 }),
    ].join("")
    const session = sessionOfText(text)
    for (let leaf = 0; leaf < session.count; leaf += 37) {
      const path = branchPath(session, leaf)
      const { messages } = modelContext(session, path)
      const { rows, rowOf } = transcriptRows(session, path)
      const seen = new Set(messages.map(({ ordinal }) => rowOf.get(ordinal ?? -1)))
      const shown = rows.flatMap(({ inContext, ordinal }, row) => (inContext && gives(session, ordinal) ? [row] : []))
      expect(shown.filter((row) => !seen.has(row))).toEqual([])
    }
  })
})

/** A run that was kept from the model gives nothing, though it is not behind. */
function gives(session: PageSession, ordinal: number): boolean {
  const { message } = session.entry(ordinal) as { message?: { excludeFromContext?: boolean } }
  return message?.excludeFromContext !== true && session.summary(ordinal).text !== ""
}

describe("The rows of a tree", () => {
  const session = sessionOf(
    userEntry("q", null, "question"),
    assistantEntry("left", "q"),
    userEntry("left2", "left"),
    assistantEntry("right", "q"),
    entry("label", "l", "right", { targetId: "left2", label: "idea" }),
    userEntry("right2", "l"),
  )
  const drawn = (rows: readonly TreeRow[]): string[] =>
    rows.map((row) => `${" ".repeat(row.depth)}${row.begins ? "+" : ""}${idAt(session)(row)}${row.ends ? "." : ""}`)
  const chosen = (id: string) => new Set(branchPath(session, session.tree.ordinalOf(id)))
  const none = new Set<number>()

  test("have the chosen branch in its column, and the others beside it.", () => {
    expect(drawn(rowsOfTree(session, "no-tools", chosen("right2"), none))).toEqual([
      "q",
      " +left",
      " left2.",
      "right",
      "right2.",
    ])
    expect(drawn(rowsOfTree(session, "no-tools", chosen("left2"), none))).toEqual([
      "q",
      " +right",
      " right2.",
      "left",
      "left2.",
    ])
  })

  test("can be folded up where a branch begins.", () => {
    const folded = new Set([session.tree.ordinalOf("left") ?? -1])
    expect(drawn(rowsOfTree(session, "no-tools", chosen("right2"), folded))).toEqual([
      "q",
      " +left.",
      "right",
      "right2.",
    ])
  })

  test("are those that the filter shows; each entry at most once.", () => {
    const ids = (filter: (typeof TREE_FILTERS)[number]) => rowsOfTree(session, filter, none, none).map(idAt(session))
    expect(ids("user-only")).toEqual(["q", "left2", "right2"])
    expect(ids("labeled-only")).toEqual(["left2"])
    expect(ids("all").sort()).toEqual(["l", "left", "left2", "q", "right", "right2"])
    const long = sessionOfText([...generateSession({ seed: 2, style: "pi", entries: 500, branching: 0.4 })].join(""))
    for (const filter of TREE_FILTERS) {
      const rows = rowsOfTree(long, filter, new Set(branchPath(long, long.leaf())), none)
      expect(new Set(rows.map(({ ordinal }) => ordinal)).size).toBe(rows.length)
    }
  })
})

test("The usage of a branch is that of its calls in their order, and knows compactions.", () => {
  const text = [...generateSession({ seed: 4, style: "pi", entries: 300, branching: 0.1, compactions: 2 })].join("")
  const session = sessionOfText(text)
  const points = usagePoints(session, pathOf(session))
  expect(points.length).toBeGreaterThan(5)
  expect(points.some(({ isCompaction }) => isCompaction)).toBe(true)
  expect(points.every(({ usages, isCompaction }) => isCompaction || usages.length > 0)).toBe(true)
  points.slice(1).forEach(({ time }, index) => {
    expect(time).toBeGreaterThanOrEqual(points[index]?.time ?? 0)
  })
})

test("Marks of where the session stands change nothing of what is seen, wherever they are stored.", () => {
  // Each question hangs on one before it, or is a root; each mark on any entry; what follows may hang on a mark.
  const steps = fc.array(fc.record({ parent: fc.nat(), isMark: fc.boolean(), isLeaf: fc.boolean() }), { maxLength: 25 })
  fc.assert(
    fc.property(steps, (program) => {
      const marked: object[] = []
      const plain: object[] = []
      /** The ids so far, each with the question that it stands for; null is the root. */
      const stored: { id: string | null; question: string | null }[] = [{ id: null, question: null }]
      for (const [index, { parent, isMark, isLeaf }] of program.entries()) {
        const id = `e${index}`
        const under = stored[parent % stored.length] ?? { id: null, question: null }
        if (isMark && isLeaf) marked.push(entry("leaf", id, under.id, { targetId: under.question }))
        else if (isMark) marked.push(entry("custom", id, under.id, { customType: "treelog.leaf" }))
        else {
          marked.push(userEntry(id, under.id))
          plain.push(userEntry(id, under.question))
        }
        stored.push({ id, question: isMark ? under.question : id })
      }
      const [session, expected] = [sessionOf(...marked), sessionOf(...plain)]
      expect(session.shownCount).toBe(expected.count)
      const seen = (one: PageSession) => {
        const idOf = idAt(one)
        const ids = (ordinals: readonly number[]) => ordinals.map((ordinal) => idOf({ ordinal }))
        return Array.from({ length: one.count }, (_, ordinal) => ordinal)
          .filter((ordinal) => !one.isLeafMarker(ordinal))
          .map((ordinal) => {
            const path = branchPath(one, ordinal)
            return {
              id: idOf({ ordinal }),
              newest: idOf({ ordinal: one.newestBelow(ordinal) }),
              branches: ids(forkAt(one, ordinal)?.branches ?? []).sort(),
              rows: transcriptRows(one, path).rows.map(idOf),
              tree: rowsOfTree(one, "all", new Set(path), new Set()).map(idOf).sort(),
            }
          })
      }
      expect(seen(session)).toEqual(seen(expected))
    }),
  )
})
