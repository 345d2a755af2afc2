import { secretlintCheck } from "@treelog/history-sqlite"
import type { CommandContext } from "../../command-context.js"
import { composeSessions } from "../../compose.js"
import { EXIT, type ExitCode } from "../../exit-codes.js"
import { type KeepOptions, withHistory } from "../../open-history.js"
import { sessionIdOf } from "../../prompt-scope.js"
import { UsageError } from "../../usage-error.js"

export interface AddOptions extends KeepOptions {
  /** Where it was given: a whole id, or `@last`, `@-2`. */
  readonly session?: string
}

/** Keeps a prompt of now. What looks like it holds a secret is not kept, and that is no failure. */
export async function addPrompt(
  context: CommandContext,
  given: string | undefined,
  options: AddOptions,
): Promise<ExitCode> {
  const text = given === "-" ? await context.io.readStdin() : given
  if (text === undefined) throw new UsageError("Say what to add: a text, or `-` to read it from stdin.")
  if (text.trim() === "") throw new UsageError("There is nothing to add: the text is empty.")
  const sessions = composeSessions(context)
  const { session, keepSecrets = false } = options
  const origin = {
    cwd: sessions.cwd,
    sessionId: session === undefined ? undefined : await sessionIdOf(sessions, session),
  }
  const [isSecret = false] = keepSecrets ? [] : await secretlintCheck()([text])
  if (!isSecret)
    await withHistory(context, sessions, { ...options, keepSecrets: true }, async (history) => {
      history.add(text, origin)
      await history.flush()
    })
  if (context.options.json) await context.printJson({ added: !isSecret, reason: isSecret ? "secret" : null })
  else if (isSecret) await context.say("Not kept: it looks like it holds a secret. --keep-secrets keeps it.")
  return EXIT.ok
}
