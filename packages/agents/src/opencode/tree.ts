import { basename, dirname, join } from "node:path"
import {
  countIn,
  FileFacts,
  joinedStores,
  objectIn,
  parsedObject,
  type RecordStore,
  type StoreOptions,
  sessionFiles,
  textIn,
  wholeFile,
} from "../kit.js"

type Found = NonNullable<Awaited<ReturnType<RecordStore["find"]>>>

/**
 * The sessions of a database, and those that versions before it wrote, in files for each session, message and part: what is in both is read from the
 * database.
 */
export function withTree(options: StoreOptions, database: RecordStore): RecordStore {
  const files = sessionFiles(options, { paths: ["storage/session/*/*.json"] })
  const facts = new FileFacts(options)
  const isFile = (key: string): boolean => key.startsWith(join(options.folder, "storage", "session"))

  /** One whose parent is there is a part of the outermost one, as sessions in the database are. */
  async function withParent(session: Found): Promise<Found> {
    const above = new Set<string>()
    let of = session
    while (!of.error && !above.has(of.key)) {
      above.add(of.key)
      const { parent } = ((await facts.of(of.key, factsIn)) ?? {}) as Facts
      const found = parent === undefined ? undefined : await files.find(join(dirname(of.key), `${parent}.json`))
      if (found) of = found
    }
    const isPart = of.key !== session.key
    return isPart ? { ...session, part: { of: of.key, name: `${session.id}.jsonl`, role: "subagent" } } : session
  }

  /** By their names. */
  async function storedTexts(folder: string): Promise<{ id: string; text: string }[]> {
    const texts: { id: string; text: string }[] = []
    for await (const found of sessionFiles(options, { paths: [`storage/${folder}/*.json`] }).list({}))
      for (const { key, id = "", error } of found) {
        if (error) throw error
        texts.push({ id, text: decodedText(wholeFile(options.fs, key).bytes) })
      }
    return texts
  }

  /** The messages of a session, in their order. */
  async function messagesOf(id: string) {
    const texts = await storedTexts(`message/${id}`)
    const messages = texts.map(({ id, text }) => ({ ...treeRow(id, text), data: text }))
    return messages.sort((a, b) => a.time_created - b.time_created)
  }

  /** The messages that a fork copied, as in a database: older than itself, with the times that they have in an older session. */
  async function copiesIn(key: string, created: number, messages: readonly { time_created: number }[]) {
    const copied = new Set(messages.map(({ time_created: time }) => time).filter((time) => time < created))
    const origins: { readonly id: string; readonly created: number }[] = []
    for await (const found of copied.size > 0 ? files.list({}) : [])
      for (const { key: other, id = "", error } of found) {
        const { created: before = 0 } = ((error ? undefined : await facts.of(other, factsIn)) ?? {}) as Facts
        if (other !== key && dirname(other) === dirname(key) && before < created) origins.push({ id, created: before })
      }
    const copies = new Map<number, string>()
    for (const { id } of origins.sort((a, b) => a.created - b.created))
      for (const { time_created: time } of await messagesOf(id))
        if (copied.has(time) && !copies.has(time)) copies.set(time, id)
    return [...copies].map(([time, origin]) => ({ origin, time })).sort((a, b) => a.time - b.time)
  }

  /** The main folder of the session's project. */
  async function worktreeOf(key: string): Promise<object> {
    const project = join(options.folder, "storage", "project", `${basename(dirname(key))}.json`)
    return (await facts.of(project, worktreeIn)) ?? {}
  }

  const storeOf = (key: string): RecordStore => (isFile(key) ? files : database)
  return {
    ...database,
    ...joinedStores([database, files], storeOf),
    async *list(filter) {
      const ids = new Set<string>()
      for await (const sessions of database.list(filter)) {
        for (const { id } of sessions) if (id !== undefined) ids.add(id)
        yield sessions
      }
      for await (const sessions of files.list(filter)) {
        const found: Found[] = []
        for (const session of sessions) if (!ids.has(session.id ?? "")) found.push(await withParent(session))
        yield found
      }
    },
    async find(key) {
      if (!isFile(key)) return database.find(key)
      const found = await files.find(key)
      return found && withParent(found)
    },
    async *records(session) {
      if (!isFile(session.key)) {
        yield* database.records(session)
        return
      }
      const { key, id = "" } = session
      const row = treeRow(id, decodedText(wholeFile(options.fs, key).bytes))
      const messages = await messagesOf(id)
      const copies = await copiesIn(key, row.time_created, messages)
      yield { value: { table: "session", ...(await worktreeOf(key)), ...row, copies } }
      for (const message of messages) {
        yield { value: { table: "message", ...message } }
        for (const { id, text } of await storedTexts(`part/${message.id}`))
          yield { value: { table: "part", ...treeRow(id, text), data: text } }
      }
    },
    isKey: isFile,
  }
}

function decodedText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

interface Facts {
  readonly parent?: string | undefined
  /** Milliseconds since 1970. */
  readonly created?: number
}

/** What the file of a session says of its place among the others. */
function factsIn(bytes: Uint8Array): object {
  const session = parsedObject(decodedText(bytes)) ?? {}
  return {
    parent: textIn(session, "parentID"),
    created: countIn(objectIn(session, "time") ?? {}, "created"),
  } satisfies Facts
}

function worktreeIn(bytes: Uint8Array): object {
  return { worktree: textIn(parsedObject(decodedText(bytes)) ?? {}, "worktree") }
}

/** A file as a row of the database has it. */
function treeRow(id: string, text: string) {
  const file = parsedObject(text) ?? {}
  const times = objectIn(file, "time") ?? {}
  const { directory, title, version, revert } = file
  return {
    ...{
      id,
      directory,
      title,
      version,
      parent_id: file.parentID,
      ...(revert !== undefined && { revert: JSON.stringify(revert) }),
    },
    time_created: countIn(times, "created"),
    time_archived: countIn(times, "archived"),
  }
}
