import { type FoundSecret, findSessionSecrets } from "@treelog/export"
import * as redaction from "@treelog/secrets"
import { cleanLine, numberText, plural, type Style } from "@treelog-internal/text"
import { blobsOf } from "../blobs/session-blobs.js"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { Progress } from "../io/progress.js"
import { composeSessions, type Sessions } from "../sessions/compose-sessions.js"
import { NEWEST } from "../sessions/newest.js"
import { existingKey } from "../sessions/open-session.js"
import { type Failure, ofSession, printFailure, storedKeys } from "../sessions/stored-keys.js"

/** Reports where a session has secrets and of what kind, never the secrets; with `--all` and no session, of every one. */
export async function scan(context: CommandContext, ref: string | undefined): Promise<ExitCode> {
  const sessions = await composeSessions(context)
  const progress = new Progress(context)
  const isWholeStore = ref === undefined && context.options.all === true
  const keys = isWholeStore ? storedKeys(sessions, context) : [{ key: await existingKey(sessions, ref ?? NEWEST) }]
  const tally = { sessions: 0, secrets: 0, holding: 0, unreadable: 0 }
  for await (const found of keys) {
    const looking = "error" in found ? Promise.resolve(found) : look(context, sessions, found.key, progress)
    const count = await (isWholeStore ? looking : progress.during(looking, () => "Scanning the session"))
    if (count === undefined) continue
    tally.sessions += 1
    if (typeof count !== "number") {
      tally.unreadable += 1
      await progress.clear()
      await printFailure(context, count)
    } else if (count > 0) {
      tally.secrets += count
      tally.holding += 1
    }
    await progress.show(`Scanned ${plural(tally.sessions, "session")}, found ${plural(tally.secrets, "secret")}`)
  }
  await progress.clear()
  await context.log(sentence(tally))
  if (tally.secrets > 0) return EXIT.damaged
  return tally.unreadable > 0 ? EXIT.failed : EXIT.ok
}

/** How many secrets a session has. Undefined when it went away in the meantime. */
async function look(
  context: CommandContext,
  sessions: Sessions,
  key: string,
  progress: Progress,
): Promise<number | Failure | undefined> {
  return ofSession(context, key, async () => {
    let count = 0
    if (!(await sessions.storage.stat(key))) return undefined
    const blobs = await blobsOf(sessions, key)?.open("read")
    for await (const secret of findSessionSecrets(sessions.storage, key, { redaction, blobs })) {
      context.io.interrupted.throwIfAborted()
      count += 1
      await progress.clear()
      if (context.options.json) await context.printJson({ path: key, ...secret })
      else await context.print([secretLine(key, secret, context.style)])
    }
    return count
  })
}

function secretLine(path: string, { line, entryId, kind, place }: FoundSecret, { paint }: Style): string {
  const where = paint("dim", `${cleanLine(path)}:${line}`)
  return [where, paint("yellow", kind), cleanLine(entryId), cleanLine(place)].filter(Boolean).join("  ")
}

function sentence({
  sessions,
  secrets,
  holding,
  unreadable,
}: {
  sessions: number
  secrets: number
  holding: number
  unreadable: number
}): string {
  const found = secrets === 0 ? "nothing that looks like a secret" : plural(secrets, "secret")
  const where = secrets > 0 && sessions > 1 ? ` in ${numberText(holding)} of them` : ""
  const rest = unreadable > 0 ? `, ${numberText(unreadable)} that could not be read` : ""
  return `${plural(sessions, "session")}: ${found}${where}${rest}.`
}
