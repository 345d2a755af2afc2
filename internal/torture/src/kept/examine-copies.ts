import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { loadDriver } from "@treelog/index-sqlite"
import { parseQuery } from "@treelog/session-core/search"
import { isKeptStore, keptPlace, openLibrary, restoreKept } from "@treelog/stores"
import type { Findings } from "../fault-test.js"
import { WORD, type WrittenSession } from "./changing-home.js"

/** Expects that each acknowledged message is listed, shown, found and in the bytes of a copy, and that what is gone is restored. */
export async function examineCopies(
  home: string,
  acknowledged: ReadonlyMap<string, WrittenSession>,
  findings: Findings,
): Promise<void> {
  const surroundings = { env: { HOME: home }, cwd: home }
  const onError = (store: string, error: unknown): void => {
    findings.broken.push(`the store of ${store} cannot be read: ${String(error)}`)
  }
  const library = await openLibrary({ ...surroundings, onError })
  const expectAll = (what: string, holds: (word: string, session: WrittenSession) => boolean): void => {
    const missing = [...acknowledged].filter(([word, session]) => !holds(word, session))
    const [word, session] = missing[0] ?? []
    findings.expect(
      missing.length === 0,
      () => `${missing.length} messages are not ${what}, such as ${word} of ${session?.agent.name} ${session?.id}`,
    )
    findings.count(`messages ${what}`, acknowledged.size - missing.length)
  }

  const listed = new Set<string>()
  for await (const { id } of library.list()) listed.add(id)
  expectAll("listed", (_, { id }) => listed.has(id))

  const shown = new Set<string>()
  const copies: { store: string; key: string; id: string }[] = []
  for (const { name, storage, manager } of library.sources)
    for await (const { key, id = "" } of storage.list({ parts: true })) {
      const session = await (await manager(key)).open(key, { access: "read" })
      for (const entry of session.getEntries()) addWords(JSON.stringify(entry), shown)
      await session.close()
      if (isKeptStore(name)) copies.push({ store: name, key, id })
    }
  expectAll("shown", (word) => shown.has(word))

  await library.update()
  const asked = { ...parseQuery("keepmark", 0), limit: Number.MAX_SAFE_INTEGER, snippet: 200 }
  const searched = new Set<string>()
  for (const { hits } of (await library.search(asked)).sessions) addWords(JSON.stringify(hits), searched)
  expectAll("found", (word) => searched.has(word))

  const bytes = await wordsBelow(join(home, ".treelog/agent/kept"))
  expectAll("in the bytes of a copy", (word) => bytes.has(word))

  const restored = new Set<string>()
  for (const { store, key, id } of copies.filter(({ store }) => /:kept(?: |$)/.test(store))) {
    const place = keptPlace(surroundings, store)
    const source = library.sources.find(({ name }) => name === store)
    if (!place || !source || existsSync(key.replace(place.folder, place.original))) continue
    const { path } = await restoreKept({ place, storage: source.storage, key, id })
    const isSame = !existsSync(key) || readFileSync(path).equals(readFileSync(key))
    findings.expect(isSame, () => `${path} is not what was kept`)
    restored.add(id)
  }
  const owned = new Set<string>()
  for (const { name, storage } of (await openLibrary({ ...surroundings, onError })).sources)
    if (!isKeptStore(name)) for await (const { id = "" } of storage.list()) owned.add(id)
  for (const id of restored)
    findings.expect(owned.has(id), () => `${id} was restored, and its agent has no such session`)
  findings.count("sessions restored", restored.size)
}

function addWords(text: string, words: Set<string>): void {
  for (const [word] of text.matchAll(WORD)) words.add(word)
}

/** The words in all files of a folder, and in all rows of databases. */
async function wordsBelow(folder: string): Promise<Set<string>> {
  const words = new Set<string>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile()) addWords(/\.db$/.test(path) ? await rowsOf(path) : readFileSync(path, "utf8"), words)
  }
  return words
}

async function rowsOf(path: string): Promise<string> {
  const db = (await loadDriver()).open(path)
  try {
    const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all<{ name: string }>()
    return tables.map(({ name }) => JSON.stringify(db.prepare(`SELECT * FROM ${name}`).all())).join("\n")
  } finally {
    db.close()
  }
}
