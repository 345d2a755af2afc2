import type { TreelogError } from "@treelog/session-core"
import type { StoreFault } from "../../wire.js"
import type { AnswerContext } from "./route-context.js"
import type { ServedSessions, ServedSource } from "./served-sessions.js"

/** The sessions that a request asks for, of all stores or of the one that it names; and the stores that could not be read when all were asked. */
export function asked<From extends ServedSource>(
  { sessions, updates, nameOf }: AnswerContext<From>,
  params: URLSearchParams,
): { readonly sessions: ServedSessions<From>; readonly faults: readonly StoreFault[] } {
  const store = params.get("store")
  const faults: StoreFault[] = []
  const sources = sessions.sources.filter((source) => store === null || nameOf(source) === store)
  const fail = (source: From, code: string): void => {
    if (!faults.some((fault) => fault.store === nameOf(source))) faults.push({ store: nameOf(source), code })
  }
  for (const [source, code] of updates.faults) if (sources.includes(source)) fail(source, code)
  // Messages name places of this machine, which are not for those who ask.
  const onError = (source: From, { code }: TreelogError): void => fail(source, code)
  return { sessions: sessions.only(sources, onError), faults }
}
