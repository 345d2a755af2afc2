import { basename } from "node:path"
import { removeOrphans } from "@treelog/blob-store"
import { type Diagnostic, isDamage, isTreelogError, type SessionSource } from "@treelog/session-core"
import { verifySession } from "@treelog/session-core/maintenance"
import type { AgentStorage } from "@treelog/stores"
import { cleanLine, numberText, plural } from "@treelog-internal/text"
import { type CommandDefinition, SESSION } from "../define/command.js"
import { EXIT, type ExitCode, UsageError } from "../errors/exit-codes.js"
import { type CommandContext, Progress } from "../io/command-context.js"
import { missingBlobsIn } from "../render/missing-blobs.js"
import { diagnosticLine } from "../render/result-lines.js"
import { oneOrAll } from "../sessions/find-session.js"
import { nothingExamined } from "../sessions/open-library.js"
import { blobsOf, readOnlyManager, requireFiles, type Sessions, storedBlobs } from "../store/command-sessions.js"
import { type Failure, failureLine, failureOf, ofSession, othersText } from "../store/stored-keys.js"

type Verification = Awaited<ReturnType<typeof verifySession>>

export const command: CommandDefinition = {
  job: "keep in order",
  summary: "check sessions for damage",
  description: "Check a session, and list every fault with its line and byte offset. Changes no session.",
  examples: [
    ["treelog verify", "the newest session of this folder"],
    ["treelog verify session.jsonl --json", "a file, as JSON"],
    ["treelog verify --all", "every session of the store"],
    ["treelog verify --all --fix-orphans", "also remove orphaned temporary files"],
  ],
  arguments: [["[session]", `${SESSION} (default: @last; with --all every session)`]],
  options: [["--fix-orphans", "with --all: remove orphaned locks and temporary files of killed commands"]],
  run: verify,
}

/** The result for one session: diagnostics, or the error. */
type Finding = Verification | Unreadable

type Unreadable = Failure & { readonly ok: false }

export async function verify(
  context: CommandContext,
  ref: string | undefined,
  { fixOrphans = false }: { readonly fixOrphans?: boolean },
): Promise<ExitCode> {
  if (fixOrphans && (ref !== undefined || context.options.all !== true))
    throw new UsageError("--fix-orphans needs --all, and takes no session.")
  const { isAll, sources } = await oneOrAll(context, ref)
  const tally = new Tally(isAll)
  const progress = new Progress(context)
  const cleaned = fixOrphans ? sources.flatMap(({ source }) => (source.agent === undefined ? source : [])) : []
  for (const sessions of cleaned)
    requireFiles(sessions, "--fix-orphans", "`treelog store clean` removes what killed programs left there")
  /** Undefined for none. */
  const places = new Set<string | undefined>()
  for (const { source: sessions, keys } of sources) {
    const parts = await partsBySession(sessions)
    for await (const found of keys) {
      const looking = async (key: string) => look(context, sessions, key, parts.get(key))
      const finding =
        "error" in found
          ? { ...found, ok: false as const }
          : await (isAll ? looking(found.key) : progress.during(looking(found.key), () => "Reading the session"))
      if (!finding) continue
      tally.add(finding)
      await printFinding(context, finding)
      if (!("error" in finding) && finding.diagnostics.some(isMissingBlob))
        places.add(blobsOf(sessions, finding.path)?.name)
      await progress.show(`Scanned ${plural(tally.sessions, "session")}`)
    }
  }
  if (tally.sessions > 0) await context.log(tally.sentence())
  for (const place of places) await context.log(missingBlobsIn("Blobs", place))
  for (const sessions of cleaned) if (!(await context.hold(removeAllOrphans(context, sessions)))) tally.addUnreadable()
  return tally.sessions === 0
    ? nothingExamined(
        context,
        sources.map(({ source }) => source),
      )
    : tally.exitCode()
}

/** The keys of the parts of each session of another agent, such as the transcripts of sub-agents. */
async function partsBySession({ storage }: Sessions): Promise<ReadonlyMap<string, readonly string[]>> {
  const parts = new Map<string, string[]>()
  if (!("report" in storage)) return parts
  try {
    for await (const { key, part } of (storage as AgentStorage).list({ parts: true })) {
      if (!part) continue
      const keys = parts.get(part.of)
      if (keys) keys.push(key)
      else parts.set(part.of, [key])
    }
  } catch (error) {
    // A store that cannot be listed is named where its sessions are looked for.
    if (!isTreelogError(error)) throw error
  }
  return parts
}

/**
 * Undefined when the session was removed meanwhile.
 * @param parts their keys
 */
async function look(
  context: CommandContext,
  sessions: Sessions,
  key: string,
  parts?: readonly string[],
): Promise<Finding | undefined> {
  const { storage, agent } = sessions
  const verifying = async (): Promise<Verification | undefined> => {
    const found = await storage.stat(key)
    return found && withSource(storage, await verifySession(await readOnlyManager(sessions, key), key), parts)
  }
  const finding = await ofSession(context, key, verifying, agent)
  return finding && "error" in finding ? { ...finding, ok: false } : finding
}

/** Adds what is wrong with the files that another agent wrote, except lines that it wrote twice. @param parts keys of the session's parts */
async function withSource(
  storage: SessionSource,
  found: Verification,
  parts: readonly string[] = [],
): Promise<Verification> {
  if (!("report" in storage)) return found
  const agent = storage as AgentStorage
  const all = [...(await agent.report(found.path)).diagnostics]
  for (const key of parts) all.push(...(await faultsOfPart(agent, key)))
  const faults = all.filter(({ kind }) => kind !== "duplicate-id")
  return { ...found, ok: found.ok && !faults.some(isDamage), diagnostics: [...faults, ...found.diagnostics] }
}

/** None of one that was removed meanwhile. */
async function faultsOfPart(agent: AgentStorage, key: string): Promise<Diagnostic[]> {
  try {
    const { diagnostics } = await agent.report(key)
    return diagnostics.map(({ kind, message }) => ({ kind, message: `${basename(key)}: ${message}` }))
  } catch (error) {
    if (isTreelogError(error, "SessionNotFoundError")) return []
    if (!isTreelogError(error)) throw error
    return [{ kind: "unreadable-part", message: `${basename(key)}: ${error.message}` }]
  }
}

function isMissingBlob({ kind }: Diagnostic): boolean {
  return kind === "missing-blob"
}

async function printFinding(context: CommandContext, finding: Finding): Promise<void> {
  const { style, options } = context
  if (options.json) await context.printJson(finding)
  else if ("error" in finding) await context.print([failureLine(finding, style)])
  else await context.print(finding.diagnostics.map((diagnostic) => diagnosticLine(finding.path, diagnostic, style)))
}

class Tally {
  /** One that was named has to be a session. */
  readonly #isAll: boolean
  sessions = 0
  #damaged = 0
  #unreadable = 0
  #faults = 0
  #notes = 0
  #entries = 0
  #others = 0

  constructor(isAll: boolean) {
    this.#isAll = isAll
  }

  add(finding: Finding): void {
    this.sessions += 1
    // A file that is not a session could be read, and is damaged; other errors are not about its content.
    if ("error" in finding && finding.isSession === false && this.#isAll) this.#others += 1
    else if ("error" in finding) {
      const isDamaged = finding.error.code === "InvalidSessionError"
      this.#damaged += Number(isDamaged)
      this.#faults += Number(isDamaged)
      this.#unreadable += Number(!isDamaged)
    } else {
      const faults = finding.diagnostics.filter(isDamage).length
      this.#entries += finding.entries
      this.#faults += faults
      this.#notes += finding.diagnostics.length - faults
      if (!finding.ok) this.#damaged += 1
    }
  }

  addUnreadable(): void {
    this.#unreadable += 1
  }

  sentence(): string {
    const looked = `${plural(this.sessions - this.#others, "session")}, ${plural(this.#entries, "entry", "entries")}`
    const found = [
      this.#faults > 0 ? plural(this.#faults, "fault") : "",
      this.#notes > 0 ? plural(this.#notes, "note") : "",
      this.#unreadable > 0 ? `${numberText(this.#unreadable)} that could not be read` : "",
      othersText(this.#others),
    ].filter(Boolean)
    const isSound = this.#faults === 0 && this.#unreadable === 0
    return `${looked}: ${[...found, ...(isSound ? ["no damage"] : [])].join(", ")}.`
  }

  exitCode(): ExitCode {
    if (this.#damaged > 0) return EXIT.damaged
    return this.#unreadable > 0 ? EXIT.failed : EXIT.ok
  }
}

/** Removes what killed commands left in the whole store, and prints the path of each. Resolves to whether all could be read. */
async function removeAllOrphans(context: CommandContext, sessions: Sessions): Promise<boolean> {
  let [count, isWhole] = [0, true]
  for await (const found of orphans(sessions)) {
    context.io.interrupted.throwIfAborted()
    if ("error" in found) {
      isWhole = false
      await context.report({ ...found, ok: false }, [failureLine(found, context.style)])
      continue
    }
    count += 1
    await context.report({ orphan: found.path, removed: true }, [`${cleanLine(found.path)} removed`])
  }
  await context.log(count === 0 ? "No orphaned files." : `${plural(count, "orphaned file")} removed.`)
  return isWhole
}

async function* orphans({ files, ...sessions }: Sessions): AsyncGenerator<{ readonly path: string } | Failure> {
  if (files)
    for await (const { path, error } of files.storage.removeOrphans()) yield error ? failureOf(path, error) : { path }
  const blobs = storedBlobs({ files, ...sessions })?.folder
  if (blobs === undefined) return
  try {
    for (const path of await removeOrphans(blobs)) yield { path }
  } catch (error) {
    if (!isTreelogError(error)) throw error
    yield failureOf(blobs, error)
  }
}
