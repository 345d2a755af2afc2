import { isDamage, isTreelogError, type Verification } from "@treelog/session-core"
import type { CommandContext } from "../command-context.js"
import { composeSessions, type Sessions } from "../compose.js"
import { EXIT, type ExitCode } from "../exit-codes.js"
import { existingKey, NEWEST } from "../open-session.js"
import { Progress } from "../progress.js"
import { cleanLine } from "../render/clean-text.js"
import { diagnosticLine } from "../render/diagnostic-line.js"
import { plural } from "../render/plural.js"

/** What there is to say of one session: what was found, or why nothing could be. */
type Finding = Verification | Unreadable

interface Unreadable {
  readonly path: string
  readonly ok: false
  readonly error: { readonly code: string; readonly message: string }
}

/** Looks for faults in one session, or with `--all` and no session in every one. */
export async function verify(context: CommandContext, ref: string | undefined): Promise<ExitCode> {
  const sessions = composeSessions(context)
  const tally = new Tally()
  const progress = new Progress(context)
  const isWholeStore = ref === undefined && context.options.all === true
  for await (const key of isWholeStore
    ? allKeys(sessions, context, tally)
    : [await existingKey(sessions, ref ?? NEWEST)]) {
    const finding = await look(sessions, key)
    if (!finding) continue
    tally.add(finding)
    if (context.options.json || "error" in finding || finding.diagnostics.length > 0) await progress.clear()
    await printFinding(context, finding)
    await progress.tell(`Looked at ${plural(tally.sessions, "session")}`)
  }
  await progress.clear()
  await context.say(tally.sentence())
  return tally.exitCode()
}

/** Every session of the store. What cannot even be looked into is printed on the way. */
async function* allKeys({ storage }: Sessions, context: CommandContext, tally: Tally): AsyncGenerator<string> {
  const { interrupted: signal } = context.io
  for await (const { key, error } of storage.list({ signal })) {
    signal.throwIfAborted()
    if (!error) yield key
    else {
      const finding = unreadable(key, error)
      tally.add(finding)
      await printFinding(context, finding)
    }
  }
}

/** Undefined when the session went away in the meantime. */
async function look({ manager, storage }: Sessions, key: string): Promise<Finding | undefined> {
  try {
    return (await storage.stat(key)) && (await manager.verify(key))
  } catch (error) {
    if (isTreelogError(error)) return unreadable(key, error)
    throw error
  }
}

function unreadable(path: string, { name: code, message }: Error): Unreadable {
  return { path, ok: false, error: { code, message } }
}

async function printFinding(context: CommandContext, finding: Finding): Promise<void> {
  const { style, options } = context
  if (options.json) await context.printJson(finding)
  else if ("error" in finding) {
    const { path, error } = finding
    await context.print([`${cleanLine(path)} ${style.paint("red", error.code)} ${cleanLine(error.message)}`])
  } else await context.print(finding.diagnostics.map((diagnostic) => diagnosticLine(finding.path, diagnostic, style)))
}

class Tally {
  sessions = 0
  #damaged = 0
  #unreadable = 0
  #faults = 0
  #notes = 0
  #entries = 0

  add(finding: Finding): void {
    this.sessions += 1
    // A file that is no session was looked at, and found broken; whatever else stopped us tells nothing of the file.
    if ("error" in finding) this.#count(finding.error.code === "InvalidSessionError")
    else {
      const faults = finding.diagnostics.filter(isDamage).length
      this.#entries += finding.entries
      this.#faults += faults
      this.#notes += finding.diagnostics.length - faults
      if (!finding.ok) this.#damaged += 1
    }
  }

  sentence(): string {
    const looked = `${plural(this.sessions, "session")}, ${plural(this.#entries, "entry", "entries")}`
    const found = [
      this.#faults > 0 ? plural(this.#faults, "fault") : "",
      this.#notes > 0 ? plural(this.#notes, "note") : "",
      this.#unreadable > 0 ? `${this.#unreadable} that could not be looked at` : "",
    ].filter(Boolean)
    const isSound = this.#faults === 0 && this.#unreadable === 0
    return `${looked}: ${[...found, ...(isSound ? ["nothing is broken"] : [])].join(", ")}.`
  }

  exitCode(): ExitCode {
    if (this.#damaged > 0) return EXIT.damaged
    return this.#unreadable > 0 ? EXIT.failed : EXIT.ok
  }

  #count(isDamaged: boolean): void {
    if (!isDamaged) {
      this.#unreadable += 1
      return
    }
    this.#damaged += 1
    this.#faults += 1
  }
}
