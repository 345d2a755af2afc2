import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { HOMES, READ_FILE, SAID } from "./homes.js"
import { type Sandbox, sandbox } from "./sandbox.js"
import { answerOf, listOf, viewed } from "./viewed.js"

// All commands agree on the sessions of a home: which there are, which copy each is, what it cost, and that what one prints another takes.

interface Listed {
  readonly id: string
  readonly path: string
  readonly copies?: readonly { readonly path: string }[]
  readonly parentSession?: string
}

/** A row of `stats`, or of the page's sums. */
interface SumRow {
  readonly key: string
  readonly session?: Listed
  readonly cost: object
  readonly calls?: number
  readonly totals?: { readonly calls: number }
}

async function json(box: Sandbox, ...argv: string[]) {
  const { json, code, stderr } = await box.run([...argv, "--json"])
  return { rows: json as readonly Record<string, unknown>[], code, stderr }
}

/** What a list says: sessions that can be read, and how many cannot. */
async function listed(box: Sandbox): Promise<{ sessions: Listed[]; broken: number }> {
  const { rows } = await json(box, "list", "--all")
  const sessions = rows.filter(({ error }) => !error) as unknown as Listed[]
  return { sessions, broken: rows.length - sessions.length }
}

const facesOf = (sessions: readonly Listed[]) => sessions.map(({ id, path }) => ({ id, path })).sort(byPath)
const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1)

describe.each(Object.entries(HOMES))("in a home %s", (_, write) => {
  test("a list has each conversation once, and each reference that it prints means its session", async () => {
    const box = sandbox()
    await write(box)
    const { sessions } = await listed(box)
    expect(sessions.length).toBeGreaterThan(0)
    expect(new Set(sessions.map(({ id }) => id)).size).toBe(sessions.length)
    for (const { id, path } of sessions) {
      expect((await json(box, "resume", id, "--print")).rows).toMatchObject([{ id, path }])
      expect([id, (await box.run(["show", id])).code]).toEqual([id, 0])
      expect([path, (await box.run(["show", path])).code]).toEqual([path, 0])
      const offered = await box.run(["completion", "fish", "--json", "--", "show", id])
      expect(offered.json).toMatchObject([{ candidates: [{ value: id }] }])
    }
    expect((await json(box, "resume", "@last", "--all", "--print")).rows).toMatchObject([{ path: sessions[0]?.path }])
  })

  test("search and the finder find what is listed, and whatever is found can be shown", async () => {
    const box = sandbox()
    await write(box)
    const { sessions } = await listed(box)
    const found = await json(box, "resume", "--query", SAID, "--all", "--print")
    expect(facesOf(found.rows as unknown as Listed[])).toEqual(facesOf(sessions))
    const { rows: hits } = await json(box, "search", SAID, "--role", "user", "--all", "--limit", "100")
    const places = hits.map(({ session, entryId, part }) => {
      const { id, path } = session as Listed
      return { id, path, entryId: String(entryId), shown: (part as { path?: string } | undefined)?.path ?? path }
    })
    // What a fork copied is found in its source.
    const originals = sessions.filter(({ parentSession }) => parentSession === undefined)
    expect(new Set(places.map(({ id }) => id))).toEqual(new Set(originals.map(({ id }) => id)))
    // Each entry once: in the copy that is listed, or in another where that does not have it.
    expect(new Set(places.map(({ id, entryId }) => `${id} ${entryId}`)).size).toBe(places.length)
    for (const { entryId, shown } of places)
      expect([shown, (await box.run(["show", shown, "--leaf", entryId])).code]).toEqual([shown, 0])
  })

  test("a filter leaves the same sessions in lists, search, sums, the finder and the page", async () => {
    const box = sandbox()
    await write(box)
    const { sessions } = await listed(box)
    const { rows: all } = await json(box, "search", SAID, "--role", "user", "--all", "--limit", "100")
    // Of one with copies, each copy may have what another agent said.
    const single = new Set(sessions.flatMap(({ id, copies = [] }) => (copies.length === 0 ? [id] : [])))
    const idsOf = (rows: readonly Record<string, unknown>[]) =>
      new Set(
        rows.map(({ session, id }) => (session as Listed | undefined)?.id ?? String(id)).filter((id) => single.has(id)),
      )
    const agents = new Set(all.map(({ store }) => String(store ?? "treelog")))
    for (const agent of [...agents, "nobody"]) {
      const filter = ["--agent", agent, "--all"]
      const ids = idsOf((await json(box, "list", ...filter)).rows)
      const found = (await json(box, "search", SAID, "--role", "user", "--limit", "100", ...filter)).rows
      expect([agent, idsOf(found)]).toEqual([agent, new Set([...idsOf(all)].filter((id) => ids.has(id)))])
      const picked = (await json(box, "resume", "--query", SAID, "--print", ...filter)).rows
      expect([agent, idsOf(picked)]).toEqual([agent, ids])
      const [sums] = (await json(box, "stats", "--by", "session", ...filter)).rows as unknown as [{ rows: SumRow[] }]
      expect(sums.rows.filter(({ session: { id } = { id: "" } }) => single.has(id) && !ids.has(id))).toEqual([])
      await viewed(box, ["--no-open"], async (url) => {
        expect([agent, idsOf(await listOf(url, `?agent=${agent}`))]).toEqual([agent, ids])
      })
    }
  })

  test("a model leaves those sessions that used it in lists and the page, as in sums", async () => {
    const box = sandbox()
    await write(box)
    type Sums = [{ rows: SumRow[] }]
    const [models] = (await json(box, "stats", "--all", "--by", "model")).rows as unknown as Sums
    for (const model of [...models.rows.map(({ key }) => key), "no such model"]) {
      const filter = ["--model", model, "--all"]
      const [sums] = (await json(box, "stats", "--by", "session", ...filter)).rows as unknown as Sums
      const ids = [...new Set(sums.rows.map(({ session }) => session?.id))].sort()
      const { rows } = await json(box, "list", ...filter)
      // What a fork copied counts in its source.
      const originals = rows.flatMap(({ id, parentSession }) => (parentSession === undefined ? [id] : []))
      expect([model, originals.sort()]).toEqual([model, ids])
      await viewed(box, ["--no-open"], async (url) => {
        const lines = await listOf(url, `?${new URLSearchParams({ model })}`)
        expect([model, lines.map(({ id }) => id).sort()]).toEqual([model, rows.map(({ id }) => id).sort()])
      })
    }
  })

  test("files names the sessions that are listed", async () => {
    const box = sandbox()
    await write(box)
    const { sessions } = await listed(box)
    const { rows } = await json(box, "files", READ_FILE, "--all")
    const entries = rows.flatMap(({ session, uses }) =>
      (uses as { entryId: string }[]).map(({ entryId }) => ({ id: (session as Listed).id, entryId })),
    )
    // The session of treelog's own store read nothing, and what a fork copied is found once, in the session that it is a fork of.
    const ids = new Set(
      sessions.flatMap(({ id, parentSession }) => (id === "own" || parentSession !== undefined ? [] : id)),
    )
    expect(new Set(entries.map(({ id }) => id))).toEqual(ids)
    expect(new Set(entries.map(({ id, entryId }) => `${id} ${entryId}`)).size).toBe(entries.length)
  })

  test("sums count each answer once, end with 0, and have the sessions that are listed", async () => {
    const box = sandbox()
    await write(box)
    const { sessions } = await listed(box)
    const { rows, code, stderr } = await json(box, "stats", "--all", "--by", "session")
    const [{ rows: sums = [], total, unreadable = [] } = {}] = rows as {
      rows?: { session: Listed; calls: number }[]
      total?: { calls: number }
      unreadable?: unknown[]
    }[]
    expect([code, unreadable, stderr]).toEqual([unreadable.length === 0 ? 0 : 1, unreadable, ""])
    const ids = new Set(sessions.map(({ id }) => id))
    expect(sums.filter(({ session }) => !ids.has(session.id))).toEqual([])
    expect(sums.reduce((sum, { calls }) => sum + calls, 0)).toBe(total?.calls ?? 0)
    const byAgent = (await json(box, "stats", "--all", "--by", "agent")).rows[0] as { total?: { calls: number } }
    expect(byAgent?.total?.calls).toBe(total?.calls)
  })

  test("verify finds damage where a list shows what cannot be read, and doctor counts the same", async () => {
    const box = sandbox()
    await write(box)
    const { sessions, broken } = await listed(box)
    const verified = await json(box, "verify", "--all")
    const noSessions = verified.rows.filter(({ isSession }) => isSession === false).length
    expect(verified.code).toBe(broken === noSessions ? 0 : 4)
    const { rows, code } = await json(box, "doctor")
    const sum = (field: string) => rows.reduce((total, row) => total + Number(row[field] ?? 0), 0)
    const copies = sessions.reduce((count, one) => count + 1 + (one.copies?.length ?? 0), 0)
    expect([sum("readable"), sum("total") - sum("readable")]).toEqual([copies, broken - noSessions])
    expect([sum("noSessions"), code]).toEqual([noSessions, verified.code])
  })

  test("nothing over all sessions ends with a fault where verify finds no damage", async () => {
    const box = sandbox()
    await write(box)
    if ((await box.run(["verify", "--all"])).code !== 0) return
    for (const argv of [
      ["scan", "--all"],
      ["bundle", "--all", "-o", join(box.folder, "all.tar.gz")],
      ["index", "--update"],
      ["stats", "--all"],
    ])
      expect([argv, (await box.run(argv)).code]).toEqual([argv, 0])
  })

  test("the page lists, finds and sums what the commands do, at the same copies", async () => {
    const box = sandbox()
    await write(box)
    const { sessions, broken } = await listed(box)
    const { rows: hits } = await json(box, "search", SAID, "--role", "user", "--all", "--limit", "100")
    const printed = [hits.map(({ session, entryId }) => `${(session as Listed).id} ${entryId}`).sort()]
    await viewed(box, ["--no-open"], async (url) => {
      const lines = (await listOf(url)) as { id: string; error?: object; copies?: string[] }[]
      const read = lines.filter(({ error }) => !error)
      expect(lines.length - read.length).toBe(broken)
      const copiesOf = ({ id, copies = [] }: { id: string; copies?: readonly unknown[] }) => `${id} ${copies.length}`
      expect(read.map(copiesOf).sort()).toEqual(sessions.map(copiesOf).sort())
      type Found = { sessions: { session: Listed; hits: { entryId: string }[] }[] }
      const found = await answerOf<Found>(url, `search?q=${encodeURIComponent(`${SAID} role:user`)}&limit=100`)
      const places = found.sessions.flatMap(({ session, hits }) =>
        hits.map(({ entryId }) => `${session.id} ${entryId}`),
      )
      expect([places.sort()]).toEqual(printed)
      for (const by of ["day", "model", "project", "session", "agent"]) {
        const [sums] = (await json(box, "stats", "--all", "--by", by)).rows as unknown as [{ rows: SumRow[] }]
        const { rows } = await answerOf<{ rows: SumRow[] }>(url, `usage?by=${by}`)
        const amounts = (all: readonly SumRow[]) =>
          all.map(({ key, session, cost, totals, calls = totals?.calls }) => ({ key: session?.id ?? key, cost, calls }))
        expect([by, amounts(rows)]).toEqual([by, amounts(sums.rows)])
      }
    })
  })
})
