import type { SqliteDatabase } from "@treelog-internal/sqlite"
import {
  type FactsBeside,
  hasTable,
  type Json,
  parsedObject,
  type RecordStore,
  type SessionRow,
  type StoreOptions,
  sessionDatabase,
  textIn,
  withFacts,
} from "../kit.js"

/** Where the SDK notes its agents, each of which has a database of its own with what was said. */
const INDEXES = "projects/*/sdk-agent-store/*/index.db"

/** Sessions with what the SDK notes of them: folder, name, archive mark, and what each run used. Chats of the command have none of it. */
export function withSdkRuns(options: StoreOptions, sessions: RecordStore): RecordStore {
  const indexes = sessionDatabase(options, { file: INDEXES, sessions: agentsIn, records: () => [] })
  let noted: Promise<ReadonlyMap<string, FactsBeside>> | undefined

  async function read(): Promise<ReadonlyMap<string, FactsBeside>> {
    const found = new Map<string, FactsBeside>()
    for await (const agents of indexes.list({}))
      for (const { id, version, error } of agents) if (id !== undefined && !error) found.set(id, factsIn(version))
    return found
  }

  const store = withFacts(options, sessions, async ({ id = "", cwd, facts }) => {
    noted ??= read()
    const own = (await noted).get(id)
    return own ? { cwd: own.cwd ?? cwd, facts: { ...facts, ...own.facts } } : {}
  })
  return {
    ...store,
    async *list(filter) {
      noted = undefined
      yield* store.list(filter)
      for await (const agents of indexes.list(filter)) yield agents.filter(({ error }) => error !== undefined)
    },
    find(key) {
      noted = undefined
      return store.find(key)
    },
  }
}

/** The facts are what changes of an agent: its version. */
function agentsIn(db: SqliteDatabase): SessionRow[] {
  if (!hasTable(db, "agents") || !hasTable(db, "runs")) return []
  const runs = db.prepare("SELECT * FROM runs WHERE agent_id = ? ORDER BY turn_number")
  return db
    .prepare("SELECT * FROM agents")
    .all<Json>()
    .map(({ agent_id: id, workspace_ref: cwd, name, status }) => {
      const used = runs.all<Json>(String(id)).flatMap((run) => {
        const usage = parsedObject(textIn(run, "usage_json") ?? "")
        return usage ? [{ id: run.run_id, model: run.model, at: run.finished_at ?? run.updated_at, usage }] : []
      })
      const version = JSON.stringify({ cwd, name, archived: status === "ARCHIVED", runs: used })
      return { id: String(id), version, size: 0, modified: 0 }
    })
}

function factsIn(version: string): FactsBeside {
  const { cwd, name, ...facts } = parsedObject(version) ?? {}
  return {
    ...(typeof cwd === "string" && cwd !== "" && { cwd }),
    facts: { ...facts, ...(typeof name === "string" && { title: name }) },
  }
}
