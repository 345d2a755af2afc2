import { TEST_START } from "@treelog-internal/test-kit"
import type { FoundHit, HitAnswer, HitRequest } from "../../../src/tui/hits/hit-state.js"

const MINUTE = 60_000

/** A hit in a session of its own; the text has the match between brackets. */
export function foundHit(text: string, minutesAgo: number, title = `Session ${minutesAgo}`): FoundHit {
  const [before = "", match, after = ""] = text.split(/[[\]]/)
  const from = before.length
  const matches = match === undefined ? [] : [[from, from + match.length] as const]
  const snippet = { text: before + (match ?? "") + after, matches, isCutBefore: false, isCutAfter: false }
  const session = { key: `/s/${minutesAgo}`, id: `s${minutesAgo}`, cwd: "/home/me/shop", name: title, created: 0 }
  return {
    session,
    title,
    hit: { entryId: `e${minutesAgo}`, role: "user", time: TEST_START - minutesAgo * MINUTE, snippet },
  }
}

export function answerTo(request: HitRequest, ...hits: FoundHit[]): HitAnswer {
  return { request, hits, isMore: false }
}
