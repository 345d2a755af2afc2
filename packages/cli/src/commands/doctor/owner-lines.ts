import type { HiddenReason } from "@treelog/agents"
import type { HiddenSession, OwnerReport } from "@treelog/stores"
import { cleanLine, numberText, plural } from "@treelog-internal/text"
import { commandLine } from "../../io/shell-command.js"

/** So many ids of hidden sessions are named for each reason: `--json` has all. */
const NAMED = 3

/** Why sessions are hidden, for people. */
const REASONS: Readonly<Record<HiddenReason, string>> = {
  "folder-gone": "their folder is gone",
  "worktree-gone": "their worktree is gone",
  "repository-gone": "the repository is gone that their folder was in",
  "other-folder": "they lie with the sessions of another folder",
  entrypoint: "they were started by an SDK, a script or a daemon",
  provider: "their provider of models is not the configured one",
  "no-prompt": "they have no prompt that it takes as a title",
  archived: "they are archived",
  child: "another session started them",
  continued: "they were continued in another session",
  duplicate: "another file has their id",
  version: "another version wrote them",
  damaged: "they are damaged",
}

/** What an agent lists of its sessions, why not the others, and what it deletes next. */
export function ownerLines(owner: OwnerReport | undefined, store: string, total: number): string[] {
  if (total === 0) return []
  // treelog lists all of its own.
  if (!owner) return store === "treelog" ? [] : ["cannot tell which of them its own list shows, nor what it deletes"]
  const { listed, hidden, deletion } = owner
  const reasons = [...new Set(hidden.map(({ reason }) => reason))]
  return [
    `${numberText(listed)} in its own list${hidden.length > 0 ? `, ${numberText(hidden.length)} hidden:` : ""}`,
    ...reasons.flatMap((reason) =>
      reasonLines(
        hidden.filter((one) => one.reason === reason),
        reason,
        store,
      ),
    ),
    deletion ? deletionLine(deletion) : "cannot tell what it deletes",
  ]
}

function reasonLines(hidden: readonly HiddenSession[], reason: HiddenReason, store: string): string[] {
  const details = [...new Set(hidden.flatMap(({ detail }) => (detail === undefined ? [] : [cleanLine(detail)])))]
  const named = details.slice(0, NAMED).join(", ")
  const more = details.length > NAMED ? ` and ${numberText(details.length - NAMED)} more` : ""
  const ids = hidden.slice(0, NAMED).map(({ id }) => cleanLine(id))
  const others = hidden.length > NAMED ? ", …" : ""
  const [first] = hidden.filter(({ canUnhide }) => canUnhide)
  return [
    `  ${numberText(hidden.length)}: ${REASONS[reason]}${named === "" ? "" : ` (${named}${more})`}: ${ids.join(", ")}${others}`,
    ...(reason === "folder-gone" && details[0] !== undefined
      ? [`    if it was moved: ${commandLine(["relocate", "--from", details[0], "--to", "NEW"], {})}`]
      : []),
    ...(first ? [`    to list one again: ${commandLine(["doctor", "--unhide", first.id], { store })}`] : []),
  ]
}

function deletionLine({ afterDays, setting, isDefault, due, next }: NonNullable<OwnerReport["deletion"]>): string {
  if (afterDays === undefined) return "it deletes no session by itself"
  const rule = `it deletes a session ${plural(afterDays, "day")} after its last change (${isDefault ? "the default of " : ""}${cleanLine(setting ?? "")})`
  const now = due > 0 ? `: ${plural(due, "session")} when it starts next` : ""
  return `${rule}${now}${next === undefined ? "" : `, the next one on ${new Date(next).toISOString().slice(0, 10)}`}; treelog keep makes copies`
}
