import { CURRENT_VERSION, type SessionHeader } from "@treelog/session-core"
import { objectIn, textIn, without } from "@treelog-internal/agent-files"
import { isListed } from "../rollout/rollout-head.js"
import type { RolloutFile } from "./thread-plan.js"

/**
 * The header of a thread, from the head of its first file.
 * @param title the name that the user gave it
 */
export function threadHeader(file: RolloutFile, title: string | undefined): SessionHeader {
  const { meta, forkedFrom, parentThread } = file.head
  const parentSession = forkedFrom ?? parentThread
  const version = textIn(meta, "cli_version")
  const git = objectIn(meta, "git") ?? {}
  const [branch, repository] = [textIn(git, "branch"), textIn(git, "repository_url")]
  return {
    type: "session",
    version: CURRENT_VERSION,
    id: file.threadId,
    timestamp: textIn(meta, "timestamp") ?? isoTime(file.time),
    cwd: textIn(meta, "cwd") ?? "",
    ...(parentSession !== undefined && { parentSession }),
    ...(title !== undefined && { title }),
    source: {
      agent: "codex",
      ...(parentThread !== undefined ? { kind: "subtask" } : !isListed(meta) && { kind: "sdk" }),
      ...(version !== undefined && { version }),
      ...(branch !== undefined && { gitBranch: branch }),
      ...(repository !== undefined && { repository }),
      ...(isArchived(file) && { archived: true }),
      meta: without(meta, ELSEWHERE),
    },
  }
}

/** Codex moves what it archives to another folder. */
function isArchived({ name }: RolloutFile): boolean {
  return /[/\\]archived_sessions[/\\]/.test(name)
}

/** Fields that stand elsewhere in the header, or in an entry. */
const ELSEWHERE = ["id", "timestamp", "cwd", "base_instructions", "instructions"]

/** The time in a file's name, `2026-11-22T14-49-54`. */
function isoTime(time: string): string {
  return `${time.slice(0, 13)}:${time.slice(14, 16)}:${time.slice(17, 19)}.000Z`
}
