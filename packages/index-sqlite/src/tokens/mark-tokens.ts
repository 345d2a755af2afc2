import type { SearchHit } from "@treelog/session-core/search"

type TextRole = SearchHit["role"]

// Tokens for what is known of a text besides its words. No word begins with a control character.

const ROLES: Readonly<Record<TextRole, number>> = {
  user: 1,
  assistant: 2,
  thinking: 3,
  toolCall: 4,
  toolResult: 5,
  summary: 6,
  label: 7,
  name: 8,
  other: 9,
}

/** Of texts that terms match by their characters, too. */
export const WITHIN_WORDS = "\u0080w"

export function roleToken(role: TextRole): string {
  return `\u0080r${ROLES[role]}`
}

export function sessionToken(session: number): string {
  return `\u0080s${session}`
}

/** @param name the number of its name */
export function modelToken(name: number): string {
  return `\u0080m${name}`
}

/** @param name the number of its name */
export function toolToken(name: number): string {
  return `\u0080t${name}`
}
