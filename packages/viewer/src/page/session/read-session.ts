import type { SessionSource } from "../source/session-source.js"
import { PageSession } from "./page-session.js"

export interface Reading {
  readonly session: PageSession
  /** `coming`: the first read; `followed`: live; `gone` and `no-answer`: the source is lost; `whole`: complete; `broken`: failed. */
  readonly state: "coming" | "followed" | "gone" | "no-answer" | "whole" | "broken"
  /** The error, if `state` is `broken`. */
  readonly fault?: string
}

/** The longest time of work without a pause. Milliseconds. */
const SLICE = 12

/** More entries than fit on a screen. */
const FIRST_SCREEN = 60

/**
 * Reads a session from its source: yields as soon as the first screen can be shown, then repeatedly, and at the end. Pauses between
 * slices of work, so that the page stays responsive. If the source fails midway, yields what was read with the error.
 * @throws InvalidSessionError; errors of the source before anything was read
 */
export async function* readSession(source: SessionSource, signal: AbortSignal): AsyncGenerator<Reading> {
  let session = new PageSession(source.name)
  let isComing = true
  let shownCount = 0
  let sliceEnd = performance.now() + SLICE
  try {
    for await (const event of source.read(signal)) {
      if (event.kind === "bytes") session.push(event.bytes)
      else if (event.kind === "replaced") {
        session = new PageSession(source.name)
        isComing = true
        shownCount = 0
      } else if (event.kind === "lost") yield { session, state: event.why }
      else {
        session.settle(false)
        isComing = false
        yield { session, state: "followed" }
      }
      if (performance.now() < sliceEnd) continue
      if (isComing && session.count >= Math.max(FIRST_SCREEN, shownCount * 4)) {
        shownCount = session.count
        yield { session, state: "coming" }
      }
      await pause()
      sliceEnd = performance.now() + SLICE
    }
    if (signal.aborted) return
    session.settle(true)
    yield { session, state: "whole" }
  } catch (error) {
    if (session.count === 0 || signal.aborted) throw error
    session.settle(false)
    yield { session, state: "broken", fault: error instanceof Error ? error.message : String(error) }
  }
}

/** Lets the browser draw and handle events. Uses a message, since timers wait for at least four milliseconds. */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(undefined)
  })
}
