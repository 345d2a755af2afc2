import type { FoundSecret } from "@treelog/export"
import { cleanLine, numberText, plural, type Style } from "@treelog-internal/text"
import { type CommandDefinition, SESSION } from "../define/command.js"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import { type CommandContext, Progress } from "../io/command-context.js"
import { oneOrAll } from "../sessions/find-session.js"
import { nothingExamined } from "../sessions/open-library.js"
import { type Failure, ofSession, othersText, printFailure } from "../store/stored-keys.js"
import { SessionSecrets } from "./scan/session-secrets.js"

export const command: CommandDefinition = {
  job: "share",
  summary: "find secrets in sessions",
  description: "Find secrets in a session: print where and of what kind, never the secret. Changes nothing.",
  examples: [
    ["treelog scan", "the newest session of this folder"],
    ["treelog scan --all", "every session of the store"],
    ["treelog scan 01a1ffe2 --json", "a line of JSON for each"],
  ],
  arguments: [["[session]", `${SESSION} (default: @last; with --all every session)`]],
  run: scan,
}

export async function scan(asked: CommandContext, ref: string | undefined): Promise<ExitCode> {
  const { isAll, sources } = await oneOrAll(asked, ref)
  const progress = new Progress(asked)
  const tally = { sessions: 0, secrets: 0, holding: 0, unreadable: 0, others: 0 }
  for (const { source, keys } of sources) {
    const secrets = new SessionSecrets(asked, source)
    const listed = new Set<string>()
    for await (const found of keys) {
      if ("key" in found) listed.add(found.key)
      const looking = "error" in found ? Promise.resolve(found) : look(asked, secrets, found.key, source.agent)
      const count = await (isAll ? looking : progress.during(looking, () => "Scanning the session"))
      if (count === undefined) continue
      tally.sessions += 1
      if (typeof count !== "number") {
        if (isAll && count.isSession === false) tally.others += 1
        else tally.unreadable += 1
        await printFailure(asked, count)
      } else if (count > 0) {
        tally.secrets += count
        tally.holding += 1
      }
      await progress.show(`Scanned ${plural(tally.sessions, "session")}, found ${plural(tally.secrets, "secret")}`)
    }
    if (isAll) await secrets.forgetOthers(listed)
  }
  if (tally.sessions === 0)
    return nothingExamined(
      asked,
      sources.map(({ source }) => source),
    )
  await asked.log(sentence(tally))
  if (tally.secrets > 0) return EXIT.damaged
  return tally.unreadable > 0 ? EXIT.failed : EXIT.ok
}

/** How many secrets a session has. Undefined when it went away in the meantime. */
async function look(
  context: CommandContext,
  secrets: SessionSecrets,
  key: string,
  agent: string | undefined,
): Promise<number | Failure | undefined> {
  const scanning = async (): Promise<number | undefined> => {
    let count = 0
    const found = await secrets.of(key)
    if (!found) return undefined
    for await (const secret of found) {
      context.io.interrupted.throwIfAborted()
      count += 1
      await context.report({ path: key, ...secret }, [secretLine(key, secret, context.style)])
    }
    return count
  }
  return ofSession(context, key, scanning, agent)
}

function secretLine(path: string, { line, entryId, kind, place }: FoundSecret, { paint }: Style): string {
  const where = paint("dim", `${cleanLine(path)}:${line}`)
  return [where, paint("yellow", kind), cleanLine(entryId), cleanLine(place)].filter(Boolean).join("  ")
}

type Tally = Record<"sessions" | "secrets" | "holding" | "unreadable" | "others", number>

function sentence({ sessions, secrets, holding, unreadable, others }: Tally): string {
  const found = secrets === 0 ? "nothing that looks like a secret" : plural(secrets, "secret")
  const where = secrets > 0 && sessions > 1 ? ` in ${numberText(holding)} of them` : ""
  const rest = [unreadable > 0 ? `${numberText(unreadable)} that could not be read` : "", othersText(others)]
  return `${plural(sessions - others, "session")}: ${[found + where, ...rest].filter(Boolean).join(", ")}.`
}
