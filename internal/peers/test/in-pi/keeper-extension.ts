// An extension of pi 1.x: it tells the test which session manager it is.

import { writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"

interface Extended {
  on(event: "session_start", listener: (event: unknown, context: { readonly sessionManager: object }) => void): void
}

export default function (pi: Extended): void {
  pi.on("session_start", (_, { sessionManager }) => {
    writeFileSync(join(homedir(), "keeper"), "flushSync" in sessionManager ? "treelog" : "pi")
  })
}
