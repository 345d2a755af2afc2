import { createHash } from "node:crypto"
import { basename, dirname, join } from "node:path"
import {
  FileFacts,
  isObject,
  type Json,
  objectIn,
  objectsIn,
  parsedObject,
  partNameOf,
  type RecordStore,
  type StoreOptions,
  sessionFiles,
  textIn,
  withFacts,
  without,
} from "../kit.js"

type Found = NonNullable<Awaited<ReturnType<RecordStore["find"]>>>

/** The folder of a project, `tmp/PROJECT`, with its sessions in `chats`. */
const SESSION = /^session-[^/]*\.jsonl?$/

/** The sessions of Gemini CLI, with what stands in other files: the folder of each project, and which sub-agents' files are beside those of sessions. */
export function geminiSessions(options: StoreOptions): RecordStore {
  const files = sessionFiles(options, {
    paths: ["tmp/*/chats/session-*.jsonl", "tmp/*/chats/session-*.json", "tmp/*/chats/*/*.jsonl"],
    idOf: ([, , subAgent]) => subAgent,
    // The name of the file of a session ends with the start of its id.
    partOf: ([project, session = "", subAgent]) =>
      subAgent === undefined
        ? undefined
        : { of: `tmp/${project}/chats/session-*-${session.slice(0, 8)}.json*`, role: "subagent" },
    // As older versions wrote them: what the first line has, and all messages.
    recordsOf: (document) =>
      isObject(document) ? [without(document, ["messages"]), ...objectsIn(document.messages)] : [],
  })
  const sessions = withFacts(options, files, async ({ key }, facts) => {
    const at = dirname(SESSION.test(basename(key)) ? dirname(key) : dirname(dirname(key)))
    const own = ((await facts.of(join(at, ".project_root"), rootIn)) ?? {}) as Json
    const known = ((await facts.of(join(options.folder, "projects.json"), foldersIn)) ?? {}) as Json
    return { cwd: textIn(own, "root") ?? textIn(known, basename(at)) }
  })
  const facts = new FileFacts(options)

  /** Of older versions, files of sub-agents say so themselves: the session is the one that began last before them. */
  async function withOwners(sessions: readonly Found[]): Promise<Found[]> {
    const heads: { readonly session: Found; readonly head: Json }[] = []
    for (const session of sessions) {
      const isHead = !session.part && !session.error
      heads.push({ session, head: isHead ? (((await facts.of(session.key, headIn)) ?? {}) as Json) : {} })
    }
    return heads.map(({ session, head }) => {
      if (head.kind !== "subagent") return session
      const mains = heads.filter(
        (one) => dirname(one.session.key) === dirname(session.key) && !one.session.part && one.head.kind === "main",
      )
      const started = (one: { readonly head: Json }): string => String(one.head.startTime)
      const before = mains.filter((one) => started(one) <= started({ head }))
      const [owner] = (before.length > 0 ? before : mains).sort((a, b) => (started(a) < started(b) ? 1 : -1))
      const part = owner && { of: owner.session.key, name: partNameOf(session.key), role: "subagent" }
      return part ? { ...session, part } : session
    })
  }

  /** The sub-agents' files of older versions, by the keys of their sessions, as they were listed last. */
  let owned: ReadonlyMap<string, readonly Found[]> | undefined

  async function list(filter: Parameters<RecordStore["list"]>[0]): Promise<readonly Found[]> {
    const all: Found[] = []
    for await (const some of sessions.list(filter)) all.push(...some)
    const listed = await withOwners(all)
    const parts = listed.filter(({ key, part }) => part && SESSION.test(basename(key)))
    owned = new Map(parts.map(({ part }) => [part?.of ?? "", parts.filter((one) => one.part?.of === part?.of)]))
    return listed
  }

  return {
    ...sessions,
    async *list(filter) {
      yield await list(filter)
    },
    async find(key) {
      const own = await sessions.find(key)
      if (!own) return undefined
      const head = (own.part || own.error ? {} : ((await facts.of(key, headIn)) ?? {})) as Json
      if (head.kind !== "subagent") return own
      return (await list({})).find((one) => one.key === key) ?? own
    },
    async parts({ key }) {
      if (!owned) await list({})
      return (owned?.get(key) ?? []).map(({ key }) => ({ name: partNameOf(key), records: [] }))
    },
  }
}

function decodedText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

function rootIn(bytes: Uint8Array): object {
  return { root: decodedText(bytes).trim() }
}

/** The folders of the projects that Gemini CLI has names for, by these names, and by the digests that were their names before. */
function foldersIn(bytes: Uint8Array): object {
  const projects = Object.entries(objectIn(parsedObject(decodedText(bytes)) ?? {}, "projects") ?? {})
  const named = projects.filter(([, name]) => typeof name === "string")
  return Object.fromEntries(
    named.flatMap(([path, name]) => [
      [digestOf(path), path],
      [name, path],
    ]),
  )
}

/** What a file says before its messages. */
function headIn(bytes: Uint8Array): object {
  const end = bytes.indexOf(10)
  const head =
    parsedObject(decodedText(bytes.subarray(0, end < 0 ? bytes.length : end))) ?? parsedObject(decodedText(bytes))
  return { kind: head?.kind === "subagent" ? "subagent" : "main", startTime: textIn(head ?? {}, "startTime") ?? "" }
}

/** How the folder of a project was named before. */
export function digestOf(path: string): string {
  return createHash("sha256").update(path).digest("hex")
}
