import { cleanLine, plural } from "@treelog-internal/text"
import { EXIT, type ExitCode } from "../../errors/exit-codes.js"
import type { CommandContext } from "../../io/command-context.js"
import { Progress } from "../../io/progress.js"
import { openIndex } from "../../search/open-index.js"
import { commandSessions } from "../../sessions/command-sessions.js"
import { nothingExamined } from "../../sessions/every-store.js"

/** Reads all sessions, and lists every difference between them and the index. A damaged index is set aside. */
export async function verifyIndex(context: CommandContext): Promise<ExitCode> {
  const { io, options, style } = context
  const sessions = await commandSessions(context)
  const index = openIndex(context, sessions, true)
  const verifying = context.hold(index.verify({ signal: io.interrupted }))
  const faults = await new Progress(context).during(verifying, () => "Comparing the index with the sessions")
  for (const { key: path, kind, message } of faults)
    if (options.json) await context.printJson({ path, kind, message })
    else
      await context.print([
        `${cleanLine(path)} ${style.paint("red", kind)} ${cleanLine(message.replaceAll(path, "It"))}`,
      ])
  if (faults.length === 0) {
    for await (const _ of sessions.storage.list()) {
      await context.log("The index matches the sessions.")
      return EXIT.ok
    }
    return nothingExamined(context, [{ program: undefined, sessions }], true)
  }
  const subject = faults.length === 1 ? "1 session differs" : `${plural(faults.length, "session")} differ`
  const advice = faults.some(({ kind }) => kind === "different")
    ? ", `treelog index --rebuild` replaces what stays different."
    : "."
  await context.log(`${subject} from the index; \`treelog index --update\` reads what is new${advice}`)
  return EXIT.damaged
}
