import { dirname } from "node:path"
import { openTrajectories } from "@treelog/agents"
import type { SessionManager, SessionStorage } from "@treelog/session-core"
import { listSessions } from "@treelog/session-core/adapter"
import { type CopiedSession, importSession } from "@treelog/session-core/maintenance"
import { type Agent, type AgentStorage, type AgentStore, isAddress, isStoreName, storeNamed } from "@treelog/stores"
import { absoluteFolder } from "@treelog-internal/fs"
import { cleanLine, plural, type Style } from "@treelog-internal/text"
import { type ExitCode, UsageError } from "../errors/exit-codes.js"
import { type CommandContext, Progress, type StoreOptions } from "../io/command-context.js"
import { existingKey } from "../sessions/find-session.js"
import { nothingExamined } from "../sessions/open-library.js"
import { Outcomes } from "../sessions/outcomes.js"
import { openNamedStore } from "../store/chosen-store.js"
import { commandSessions, managerWith, ownManager, requireWritable, type Sessions } from "../store/command-sessions.js"
import { foldersOf } from "../store/scope.js"
import { caught, type Failure, failureIn } from "../store/stored-keys.js"
import { agentArtifacts } from "./agent-artifacts.js"
import { artifactsFailure, leftSentence } from "./copy-report.js"

interface AgentImportOptions {
  /** The store that the sessions go to. Default: the one that the command works on. */
  readonly to?: string
  /** Only the sessions of this folder. */
  readonly project?: string
  readonly dryRun?: boolean
}

/** Imports sessions of an agent, each with its source; repeated, it adds what is new. One that cannot be imported ends nothing. */
export async function importFromAgent(
  context: CommandContext,
  agent: AgentStore,
  ref: string | undefined,
  { to, project, dryRun = false }: AgentImportOptions,
): Promise<ExitCode> {
  const isMany = context.options.all === true || project !== undefined
  if ((ref === undefined) !== isMany)
    throw new UsageError(
      "Name one session, or give --all for every session, or --project for the sessions of a folder.",
    )
  const storage = await storageOf(context, agent.store)
  const cwd = project === undefined ? undefined : absoluteFolder(context.io, project)
  const keys = ref === undefined ? storedKeys(storage, cwd, context) : oneKey(storage, ref, context)
  return importKeys(context, { agent: agent.store, storage, to, isAll: ref === undefined, dryRun }, keys)
}

/** Imports one file of an agent, wherever it is. */
export async function importAgentFile(context: CommandContext, agent: Agent, path: string): Promise<ExitCode> {
  const storage = await storageOf(context, agent)
  return importKeys(context, { agent, storage }, oneKey(storage, path, context))
}

/** Imports a trajectory of Harbor's Agent Trajectory Interchange Format, wherever it is. */
export async function importTrajectory(context: CommandContext, path: string): Promise<ExitCode> {
  const storage = await openTrajectories(dirname(path), { env: context.io.env, cacheDir: null })
  return importKeys(context, { agent: "atif", storage }, oneKey(storage, path, context))
}

async function storageOf(context: CommandContext, agent: string): Promise<AgentStorage> {
  return (await openNamedStore(context, storeNamed(context.io, agent, "--from"))).storage as AgentStorage
}

/** A folder that is named as the target may be a new one. */
function targetOptions(context: CommandContext, to: string): StoreOptions {
  const isNamed = isAddress(to) || isStoreName(context.io, to)
  return isNamed ? { store: to } : { agentDir: to }
}

interface AgentImport {
  /** As `--store` takes it. */
  readonly agent: string
  readonly storage: AgentStorage
  readonly to?: string | undefined
  readonly isAll?: boolean
  readonly dryRun?: boolean
}

async function importKeys(
  context: CommandContext,
  { storage, agent, to, isAll = false, dryRun = false }: AgentImport,
  keys: AsyncIterable<{ key: string } | Failure>,
): Promise<ExitCode> {
  const { io, options } = context
  const sessions = await commandSessions(context, to === undefined ? options : targetOptions(context, to))
  requireWritable(sessions)
  const outcomes = new Outcomes(context, isAll)
  const progress = new Progress(context)
  const counts: Record<string, number> = {}
  const unknown = new Set<string>()
  for await (const found of keys) {
    io.interrupted.throwIfAborted()
    if ("error" in found) {
      await outcomes.fail(found)
      continue
    }
    const { key } = found
    try {
      const working = context.hold(importOne(sessions, storage, key, dryRun))
      const { failure, ...imported } = await progress.during(working, () => `Importing ${key}`)
      counts[imported.status] = (counts[imported.status] ?? 0) + 1
      for (const kind of imported.unknownKinds) unknown.add(kind)
      for (const { kind, message } of imported.diagnostics)
        if (kind === "unreadable-part") context.warn({ code: kind, data: { path: key } }, `${key}: ${message}`)
      if (options.json) await context.printJson(imported)
      else {
        await context.print(linesOf(imported, context.style))
        const left = leftSentence({ key, artifacts: { added: 0, left: imported.artifactsLeft } })
        if (left !== undefined) await context.log(left)
      }
      if (failure) await outcomes.fail(failure)
    } catch (fault) {
      await outcomes.fail(await caught(context, key, fault, agent))
    }
  }
  const parts = Object.entries(counts).map(([status, count]) => `${count} ${status}`)
  if (parts.length === 0 && outcomes.count === 0)
    return nothingExamined(context, [{ program: agent, address: storage.folder }], true)
  await context.log(outcomes.sentence(...parts))
  if (unknown.size > 0)
    await context.log(
      `Lines of kinds that are new to this release are kept as they are: ${[...unknown].join(", ")} (${agent}).`,
    )
  return outcomes.exitCode()
}

/** Imports one session with its source and what belongs to it; repeated, it adds what is new. */
export async function importOne(
  sessions: Sessions<SessionStorage>,
  storage: AgentStorage,
  key: string,
  dryRun: boolean,
) {
  const { lines, kinds, unknownKinds, diagnostics } = await storage.report(key)
  const conversion = { lines, kinds, unknownKinds, diagnostics }
  const report = await importSession(await importingManager(sessions), key, {
    storage,
    artifactsOf: (of, to) => agentArtifacts(storage, of, to),
    isOriginal: true,
    dryRun,
  })
  return { from: key, ...storedFields(report), dryRun, ...conversion, failure: artifactsFailure(report) }
}

/** What the JSON of an import says of a session that was stored. */
export function storedFields(report: CopiedSession) {
  const { to: path, id: sessionId, status, added, rewritten, formerId = null, artifacts } = report
  const blobs = { copied: report.copiedBlobs, missing: report.missingBlobs }
  const { added: count = 0, left: artifactsLeft = [] } = artifacts ?? {}
  return { sessionId, path, status, added, rewritten, formerId, ...blobs, artifacts: count, artifactsLeft }
}

/** pi knows no blobs: in its store, images stay in the lines. */
export function importingManager(sessions: Sessions<SessionStorage>): Promise<SessionManager> {
  return sessions.files?.name.preset === "pi" ? managerWith(sessions, undefined) : ownManager(sessions)
}

type Imported = Omit<Awaited<ReturnType<typeof importOne>>, "failure">

function linesOf(imported: Imported, { paint }: Style): string[] {
  const { status, lines, diagnostics, kinds } = imported
  const sum = (field: "converted" | "kept" | "skipped"): number =>
    Object.values(kinds).reduce((total, kind) => total + kind[field], 0)
  const counts = `${plural(lines, "line")}: ${sum("converted")} converted, ${sum("kept")} kept, ${sum("skipped")} skipped`
  const notes = diagnostics.length > 0 ? `, ${plural(diagnostics.length, "note")}` : ""
  const { added, rewritten, path, sessionId } = imported
  const more = added > 0 ? ` ${plural(added, "entry", "entries")}` : ""
  const branch = rewritten > 0 ? `, of which the source rewrote ${rewritten}` : ""
  return [`${paint("cyan", cleanLine(sessionId))}  ${status}${more}${branch}  ${cleanLine(path)}  ${counts}${notes}`]
}

async function* storedKeys(
  storage: AgentStorage,
  cwd: string | undefined,
  context: CommandContext,
): AsyncGenerator<{ key: string } | Failure> {
  const settings = { projectOf: foldersOf(context).nameOf, signal: context.io.interrupted }
  for await (const { path: key, error } of listSessions(storage, cwd, settings))
    yield error ? failureIn(key, error, storage.agent) : { key }
}

async function* oneKey(storage: AgentStorage, ref: string, context: CommandContext): AsyncGenerator<{ key: string }> {
  const projectOf = foldersOf(context).nameOf
  yield { key: await existingKey({ storage, address: storage.folder, projectOf }, context, ref) }
}
