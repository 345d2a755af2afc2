import type { SessionSource } from "../source/session-source.js"
import { PageSession } from "./page-session.js"

/** How far the reading of a session is. */
export interface Reading {
  readonly session: PageSession
  /** Still coming for the first time, followed, out of touch with its source, at its end, or broken off. */
  readonly state: "coming" | "followed" | "gone" | "no-answer" | "whole" | "broken"
  /** Why nothing more comes, where it is broken. */
  readonly fault?: string
}

/** For so long the page is held up at a time. Milliseconds. */
const SLICE = 12

/** As many entries are more than a screen shows. */
const FIRST_SCREEN = 60

/**
 * Reads a session from its source: tells of it as soon as the first screen can be shown, then now and then, and when it is
 * there. Between two slices of work the page is free. Where the source fails in the middle, what came is told with the fault.
 * @throws InvalidSessionError; what the source throws before anything came
 */
export async function* readSession(source: SessionSource, signal: AbortSignal): AsyncGenerator<Reading> {
  const newest: { session?: PageSession } = {}
  try {
    for await (const reading of readings(source, signal, newest)) yield reading
  } catch (error) {
    const { session } = newest
    if (!session || session.count === 0 || signal.aborted) throw error
    session.settle(false)
    yield { session, state: "broken", fault: error instanceof Error ? error.message : String(error) }
  }
}

async function* readings(
  source: SessionSource,
  signal: AbortSignal,
  newest: { session?: PageSession },
): AsyncGenerator<Reading> {
  let session = new PageSession(source.name)
  newest.session = session
  let isComing = true
  let told = 0
  let sliceEnd = performance.now() + SLICE
  for await (const event of source.read(signal)) {
    if (event.kind === "bytes") session.push(event.bytes)
    else if (event.kind === "replaced") {
      session = new PageSession(source.name)
      newest.session = session
      isComing = true
      told = 0
    } else if (event.kind === "lost") yield { session, state: event.why }
    else {
      session.settle(false)
      isComing = false
      yield { session, state: "followed" }
    }
    if (performance.now() < sliceEnd) continue
    if (isComing && session.count >= Math.max(FIRST_SCREEN, told * 4)) {
      told = session.count
      yield { session, state: "coming" }
    }
    await pause()
    sliceEnd = performance.now() + SLICE
  }
  if (signal.aborted) return
  session.settle(true)
  yield { session, state: "whole" }
}

/** Lets the browser draw and listen. A message comes sooner than a timer, which waits four milliseconds. */
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
