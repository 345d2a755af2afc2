import { type IgnoreReason, ignoreReason } from "@treelog/history-sqlite"
import { EXIT, type ExitCode } from "../../errors/exit-codes.js"
import { UsageError } from "../../errors/usage-error.js"
import type { CommandContext } from "../../io/command-context.js"
import { changeHistory, type HistoryOptions, historyPath } from "../../prompts/open-history.js"
import { type IgnoreOptions, promptRules } from "../../prompts/prompt-rules.js"
import { sessionIdOf } from "../../prompts/prompt-scope.js"
import { cwdIn } from "../../sessions/scope.js"

interface AddOptions extends HistoryOptions, IgnoreOptions {
  /** The session of the prompt: a complete id, or `@last`, `@-2`. */
  readonly session?: string
}

const REASONS: Readonly<Record<IgnoreReason, string>> = {
  space: "it begins with a space, and --ignore-space is given",
  pattern: "a pattern of --ignore matches",
  secret: "it seems to contain a secret. --keep-secrets adds it anyway",
}

/** Adds a prompt with the current time. One that a rule excludes is not added, which is not a failure. */
export async function addPrompt(
  context: CommandContext,
  given: string | undefined,
  options: AddOptions,
): Promise<ExitCode> {
  const text = given === "-" ? await context.io.readStdin() : given
  if (text === undefined) throw new UsageError("Pass a text to add, or `-` to read it from stdin.")
  if (text.trim() === "") throw new UsageError("There is nothing to add: the text is empty.")
  const rules = promptRules(options)
  const { session } = options
  const origin = {
    cwd: cwdIn(context),
    sessionId: session === undefined ? undefined : await sessionIdOf(context, session),
  }
  const reason = ignoreReason(text, rules)
  if (reason === undefined)
    await changeHistory(context, historyPath(context, options), { secrets: false }, async (history) => {
      history.add(text, origin)
      await history.flush()
    })
  await context.report({ added: reason === undefined, reason: reason ?? null }, [])
  if (reason !== undefined) await context.log(`Not kept: ${REASONS[reason]}.`)
  return EXIT.ok
}
