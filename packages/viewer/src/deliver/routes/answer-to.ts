import { isTreelogError } from "@treelog/session-core"
import { jsonResponse } from "./respond.js"

const STATUS: Readonly<Record<string, number>> = {
  SessionNotFoundError: 404,
  AmbiguousSessionError: 409,
  SessionChangedError: 409,
  InvalidSessionError: 422,
  BlobDamagedError: 422,
  InvalidArgumentError: 400,
  IndexUnavailableError: 503,
}

/** An error of ours as its code and message; any other is for the server, which logs it. */
export function answerTo(error: unknown): Response {
  if (!isTreelogError(error)) throw error
  // Messages name places of this machine, which are not for those who ask.
  const status = STATUS[error.code] ?? 500
  const message = status === 400 ? error.message : REASONS[error.code]
  return jsonResponse({ code: error.code, message: message ?? "The session cannot be read." }, status)
}

const REASONS: Readonly<Record<string, string>> = {
  SessionNotFoundError: "There is no such session.",
  AmbiguousSessionError: "Several sessions have this id.",
  SessionChangedError: "Another session is stored now.",
  InvalidSessionError: "What is stored is not a session.",
  BlobDamagedError: "The bytes of this blob are damaged.",
  IndexUnavailableError: "There is no index to ask.",
}
