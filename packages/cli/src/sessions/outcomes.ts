import { TreelogError } from "@treelog/session-core"
import type { LeaseHolder } from "@treelog/storage-fs"
import type { OpenStore, undoLast } from "@treelog/stores"
import { cleanLine, numberText } from "@treelog-internal/text"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { type Failure, ofSession, othersText, printFailure } from "../store/stored-keys.js"

/** How a command fared with many sessions: one that cannot be dealt with stops no other, and is printed. */
export class Outcomes {
  done = 0
  /** Held by another process. */
  #locked = 0
  #failed = 0
  /** Files that are no sessions. */
  #others = 0
  readonly #context: CommandContext
  readonly #isAll: boolean

  /** @param isAll whether no session was named: among the files of an agent, one that is no session is no failure then */
  constructor(context: CommandContext, isAll = false) {
    this.#context = context
    this.#isAll = isAll
  }

  /** All sessions so far. */
  get count(): number {
    return this.done + this.#locked + this.#failed + this.#others
  }

  /** Does it to one session. @param agent see `failureOf` @returns undefined where that failed */
  async of<Result>(
    path: string,
    action: () => Promise<Result>,
    agent?: string,
  ): Promise<{ readonly result: Result } | undefined> {
    const outcome = await ofSession(this.#context, path, async () => ({ result: await action() }), agent)
    if ("error" in outcome) {
      await this.fail(outcome)
      return undefined
    }
    this.done += 1
    return outcome
  }

  /** Plans what is done to several sessions later, which are counted then. @returns undefined where that failed: it is counted once */
  async plan<Plan>(path: string, action: () => Promise<Plan>): Promise<Plan | undefined> {
    const planned = await this.of(path, action)
    if (planned) this.done -= 1
    return planned?.result
  }

  /** Counts and prints a failure. */
  async fail(failure: Failure): Promise<void> {
    if (this.#isAll && failure.isSession === false) this.#others += 1
    else if (failure.error.code === "SessionBusyError") this.#locked += 1
    else this.#failed += 1
    await printFailure(this.#context, failure)
  }

  /** `2 in use by another process, 1 failed, 1 file that is no session`; empty where nothing is. */
  get failureText(): string {
    const parts = [
      this.#locked > 0 ? `${numberText(this.#locked)} in use by another process` : "",
      this.#failed > 0 ? `${numberText(this.#failed)} failed` : "",
      othersText(this.#others),
    ]
    return parts.filter(Boolean).join(", ")
  }

  /** What was done, and what was not: `2 sessions restored, 1 failed.` */
  sentence(...done: readonly string[]): string {
    return `${[...done, this.failureText].filter(Boolean).join(", ")}.`
  }

  exitCode(): ExitCode {
    if (this.#failed > 0) return EXIT.failed
    return this.#locked > 0 ? EXIT.locked : EXIT.ok
  }
}

/** For dry runs: whether a session could be taken. Writes nothing. @throws SessionBusyError */
export async function requireFree({ files }: Pick<OpenStore, "files">, key: string): Promise<void> {
  const holder = await files?.storage.holderOf(key)
  if (holder) throw busyError(key, holder)
}

function busyError(key: string, { pid, host, since }: LeaseHolder): TreelogError<"SessionBusyError"> {
  const who = pid === undefined ? "" : ` by process ${pid} on ${host}`
  const message = `The session is in use${who} since ${since}: ${key}.`
  return new TreelogError("SessionBusyError", message, { key, pid: pid ?? 0, host: host ?? "unknown", since })
}

/** Says what was undone, and what of it could not be. */
export async function printUndone(
  context: CommandContext,
  undone: Awaited<ReturnType<typeof undoLast>>,
): Promise<ExitCode> {
  if (!undone) {
    await context.log("There is nothing to undo.")
    return EXIT.notFound
  }
  const { what, problems } = undone
  await context.report({ undone: what, problems }, problems.map(cleanLine))
  await context.log(`Undone: ${cleanLine(what)}.`)
  return problems.length > 0 ? EXIT.failed : EXIT.ok
}
