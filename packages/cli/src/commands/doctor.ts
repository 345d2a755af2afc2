import { isTreelogError, type SessionInfo, SessionManager, type SessionSource } from "@treelog/session-core"
import { isNoSession } from "@treelog/session-core/adapter"
import {
  type AgentStorage,
  agentOfProgram,
  isKeptStore,
  type LookedAt,
  lookedAt,
  type OwnerReport,
  ownerReport,
} from "@treelog/stores"
import { cleanLine, numberText, plural } from "@treelog-internal/text"
import type { CommandDefinition } from "../define/command.js"
import { faultOf } from "../errors/error-report.js"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { commandLine } from "../io/shell-command.js"
import { openIndex } from "../sessions/open-index.js"
import { kindsIn, uncountedSentence } from "../store/agent-kinds.js"
import { commandSessions, type Sessions } from "../store/command-sessions.js"
import { othersText } from "../store/stored-keys.js"
import { ownerLines } from "./doctor/owner-lines.js"
import { undoUnhide, unhideSession } from "./doctor/unhide.js"

export const command: CommandDefinition = {
  job: "keep in order",
  summary: "say where sessions are, and which of them agents hide",
  description:
    "Say of each program and agent where its sessions are, which of them its own list leaves out and why, what it deletes next, and what treelog cannot read.",
  examples: [
    ["treelog doctor", "of all agents on this machine"],
    ["treelog doctor --json", "for scripts"],
    ["treelog doctor --unhide 5f3a", "make its agent list a session again"],
    ["treelog doctor --undo", "undo that"],
  ],
  options: [
    ["--unhide <session>", "repair what keeps a session out of its agent's own list"],
    ["--undo", "undo the last --unhide, within 30 days"],
  ],
  run: doctor,
}

/** How many of an agent's newest sessions are converted, to find kinds of records that treelog does not know. */
const CONVERTED = 20

const NO_KINDS = { unknownKinds: undefined, uncountedKinds: undefined }

/** What treelog finds of one program or agent. */
interface Finding extends Pick<LookedAt, "store" | "sessions" | "unread"> {
  /** Why the store cannot be read. */
  readonly error?: { readonly code: string; readonly message: string }
  readonly found?: Found
}

interface Found {
  /** Files of an agent that are no sessions are not among them. */
  readonly total: number
  readonly readable: number
  /** Files of an agent that are no sessions. */
  readonly noSessions: number
  /** The version of the agent that wrote the newest session that names one. */
  readonly version: string | undefined
  /** Kinds of records in the newest sessions that treelog does not know. Undefined of sessions that need no conversion. */
  readonly unknownKinds: readonly string[] | undefined
  /** Kinds of records in the newest sessions that have tokens, where no usage is found. */
  readonly uncountedKinds: readonly string[] | undefined
  /** Sessions in the index; undefined where it cannot be read. */
  readonly indexed: number | undefined
  /** Why the index cannot be used, although there is a SQLite. */
  readonly indexFault?: string
  /** What its agent lists; undefined where that is unknown. */
  readonly owner: OwnerReport | undefined
}

export async function doctor(
  context: CommandContext,
  { unhide, undo }: { readonly unhide?: string; readonly undo?: boolean },
): Promise<ExitCode> {
  if (unhide !== undefined) return unhideSession(context, unhide)
  if (undo) return undoUnhide(context)
  const findings: Finding[] = []
  for (const place of await lookedAt(context.io)) {
    context.io.interrupted.throwIfAborted()
    const { store, isHere, error, ...rest } = place
    try {
      if (error !== undefined) throw error
      const found = isHere && { found: await examined(context, store) }
      findings.push({ store, ...rest, ...found })
    } catch (error) {
      const { code, message } = faultOf(error)
      findings.push({ store, ...rest, error: { code, message } })
    }
  }
  if (context.options.json) for (const finding of findings) await context.printJson(documentOf(finding))
  else await printFindings(context, findings)
  const isSound = findings.every(
    ({ error, found }) => !error && (!found || (found.readable === found.total && !found.indexFault)),
  )
  return isSound ? EXIT.ok : EXIT.damaged
}

async function examined(context: CommandContext, store: string): Promise<Found> {
  const sessions = await commandSessions(context, { store })
  const manager = new SessionManager({ storage: sessions.storage, anyFile: true })
  const infos: SessionInfo[] = []
  for await (const info of manager.listAll()) infos.push(info)
  const readable = infos.filter(({ error }) => !error)
  const own = sessions.agent ? infos.filter(({ error }) => !error || !isNoSession(error)) : infos
  const noSessions = infos.length - own.length
  const newest = readable.sort((a, b) => b.modified - a.modified).slice(0, CONVERTED)
  return {
    total: infos.length - noSessions,
    readable: readable.length,
    noSessions,
    version: sessions.agent && (await newestVersion(manager, newest)),
    ...(sessions.agent ? await kindsIn(sessions.storage as AgentStorage, newest) : NO_KINDS),
    ...(await indexedIn(context, sessions)),
    owner: await ownerReport(context.io, store, own, context.io.now()),
  }
}

async function newestVersion(
  manager: SessionManager<SessionSource>,
  newest: readonly SessionInfo[],
): Promise<string | undefined> {
  for (const { path } of newest) {
    const session = await manager.open(path, { access: "read" })
    const { source } = session.getHeader() as { readonly source?: { readonly version?: unknown } }
    await session.close()
    if (typeof source?.version === "string") return source.version
  }
  return undefined
}

/** The sessions can be read where their index cannot, such as on a full disk. */
async function indexedIn(context: CommandContext, sessions: Sessions): Promise<Pick<Found, "indexed" | "indexFault">> {
  try {
    return { indexed: (await openIndex(context, [sessions], true).status()).sessions }
  } catch (error) {
    if (isTreelogError(error, "IndexUnavailableError")) return { indexed: undefined }
    if (isTreelogError(error)) return { indexed: undefined, indexFault: faultOf(error).message }
    throw error
  }
}

function documentOf({ store, sessions, error, found, unread }: Finding): object {
  return {
    store,
    sessions,
    isFound: found !== undefined,
    error,
    ...(unread.length > 0 && { unread: unread.map(({ path, why }) => ({ path, why })) }),
    ...(found && {
      total: found.total,
      readable: found.readable,
      ...(found.noSessions > 0 && { noSessions: found.noSessions }),
      listed: found.owner?.listed ?? null,
      hidden: found.owner?.hidden,
      deletion: found.owner?.deletion && deletionOf(found.owner.deletion),
      indexed: found.indexed ?? null,
      indexFault: found.indexFault,
      version: found.version,
      unknownKinds: found.unknownKinds,
      ...(found.uncountedKinds && found.uncountedKinds.length > 0 && { uncountedKinds: found.uncountedKinds }),
    }),
  }
}

function deletionOf({ afterDays, next, ...rest }: NonNullable<OwnerReport["deletion"]>): object {
  return { ...rest, afterDays: afterDays ?? null, next: next && new Date(next).toISOString() }
}

async function printFindings(context: CommandContext, findings: readonly Finding[]): Promise<void> {
  const { paint } = context.style
  const isHere = ({ error, found, unread }: Finding): boolean => Boolean(error ?? found) || unread.length > 0
  for (const { store, sessions, error, found, unread } of findings.filter(isHere)) {
    await context.print([`${paint("bold", cleanLine(store))}  ${cleanLine(sessions)}`])
    if (error) await context.print([`  ${paint("red", "cannot be read")}: ${cleanLine(error.message)}`])
    if (found) await context.print(linesOf(found, store).map((line) => `  ${line}`))
    await context.print(unread.map(({ path, why }) => `  ${paint("yellow", "not read")}: ${cleanLine(path)} (${why})`))
  }
  const here = new Set(findings.filter(isHere).map(({ store }) => agentOfProgram(store)))
  const missing = new Set(findings.map(({ store }) => agentOfProgram(store)).filter((agent) => !here.has(agent)))
  if (missing.size > 0)
    await context.print([
      `Not here: ${[...missing].map(cleanLine).join(", ")}; --json says where their sessions would be.`,
    ])
  await context.log(
    "What sessions do now: treelog list --live --all. Damage, and what two processes wrote at once: treelog verify --all. Copies of all: treelog keep.",
  )
}

function linesOf(found: Found, store: string): string[] {
  const { total, owner, readable, noSessions, version, unknownKinds, uncountedKinds = [], indexed, indexFault } = found
  const isKept = isKeptStore(store)
  if (isKept && total === 0) return ["copies of sessions that its agent still has"]
  const left = total - readable
  const sessions = plural(total, "session") + (isKept ? " that its agent has no more" : "")
  const verify = `${numberText(left)} cannot be read: ${commandLine(["verify", "--all"], { store })}`
  return [
    [sessions, ...(version === undefined ? [] : [`newest version ${cleanLine(version)}`])].join(", "),
    ...(left > 0 ? [verify] : []),
    ...(noSessions > 0 ? [othersText(noSessions)] : []),
    ...(isKept
      ? [
          `which: ${commandLine(["list", "--all"], { store })}; to give one back: ${commandLine(["restore", "ID"], { store })}`,
        ]
      : ownerLines(owner, store, total)),
    ...(unknownKinds && unknownKinds.length > 0
      ? [`unknown kinds of records in the newest ${CONVERTED}, which are kept: ${cleanLine(unknownKinds.join(", "))}`]
      : []),
    ...(uncountedKinds.length > 0 ? [uncountedSentence(uncountedKinds)] : []),
    indexed === undefined
      ? cleanLine(indexFault ?? "no index: there is no SQLite")
      : `${numberText(indexed)} in the index of search, parts of sessions included; a search adds what is new`,
  ]
}
