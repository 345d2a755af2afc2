import type { SessionHeader } from "../../entry/header.js"
import type { Part } from "../../log/splice.js"
import { openLeased } from "../open-session.js"
import { assembled, type Source } from "../reader/assembled.js"
import type { Session } from "../session.js"
import type { SessionFactory } from "../session-factory.js"
import type { CreateOptions } from "../session-options.js"

/** Stores a copy as a new session, with the artifacts of its source, and opens it. */
export async function storeCopy(
  factory: SessionFactory,
  header: SessionHeader,
  parts: Iterable<Part>,
  source: Source,
  options: CreateOptions,
): Promise<Session> {
  const { storage } = factory
  const key = factory.keyFor(header)
  const lease = await storage.lease(key, { access: options.access ?? "exclusive", waitMs: 0 })
  return openLeased(factory, lease, options, async () => {
    await lease.create(assembled(storage, parts, source), { artifactsFrom: source.from })
    await lease.sync()
  })
}
