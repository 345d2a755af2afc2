import { FileFacts, parsedObject, partNameOf, type RecordStore, rootOf, type StoreOptions, textIn } from "../kit.js"

type Found = NonNullable<Awaited<ReturnType<RecordStore["find"]>>>

/** Sessions of which the first line of some says that another one called them: those are its parts. */
export function withCallers(options: Pick<StoreOptions, "fs" | "notes">, store: RecordStore): RecordStore {
  const files = new FileFacts(options)

  async function callerOf({ key, error }: Found): Promise<string | undefined> {
    const facts = error ? undefined : await files.of(key, firstLine)
    return facts && textIn({ ...facts }, "caller")
  }

  async function* list(filter: Parameters<RecordStore["list"]>[0]): AsyncGenerator<Found[]> {
    const all: Found[] = []
    for await (const sessions of store.list(filter)) all.push(...sessions)
    const keys = new Map(all.map(({ id, key }) => [id ?? key, key]))
    const callers = new Map<string, string | undefined>()
    for (const session of all) callers.set(session.id ?? session.key, await callerOf(session))
    yield all.map((session) => {
      const own = session.id ?? session.key
      const root = rootOf(own, callers)
      const of = keys.get(root)
      return of === undefined || root === own
        ? session
        : { ...session, part: { of, name: partNameOf(session.key), role: "subagent" } }
    })
  }

  return {
    ...store,
    list,
    async find(key) {
      const session = await store.find(key)
      if (!session || (await callerOf(session)) === undefined) return session
      // Who called it may be in another folder.
      for await (const sessions of list({}))
        for (const one of sessions) if (one.key === key) return { ...session, ...(one.part && { part: one.part }) }
      return session
    },
  }
}

function firstLine(bytes: Uint8Array): { caller?: string } {
  const end = bytes.indexOf(0x0a)
  const line = parsedObject(new TextDecoder().decode(bytes.subarray(0, end < 0 ? bytes.length : end)))
  const caller = line?.type === "session_start" ? textIn(line, "callingSessionId") : undefined
  return caller === undefined ? {} : { caller }
}
