import type { Session } from "@treelog/session-core"
import { sleep } from "./children.js"

/** Resolves when all that waits is stored, after as many tries as that takes. */
export async function acknowledged(session: Session, onFailure: () => void): Promise<void> {
  const attempt = (work: Promise<unknown>) =>
    work.then(
      () => true,
      () => false,
    )
  for (let isStored = await attempt(session.flush()); !isStored; isStored = await attempt(session.retry())) {
    onFailure()
    await sleep(10)
  }
}
