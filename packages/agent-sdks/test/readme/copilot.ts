import { CopilotClient } from "@github/copilot-sdk"
import { CopilotSessionFs } from "@treelog/agent-sdks/copilot"
import { FileSessionStorage } from "@treelog/storage-fs"

const storage = new FileSessionStorage({ agentDir: "./agent" })
const client = new CopilotClient({
  sessionFs: { initialCwd: "/", sessionStatePath: "/state", conventions: "posix" },
})

export const begin = () =>
  client.createSession({
    createSessionFsProvider: ({ sessionId }) => new CopilotSessionFs({ storage, sessionId }),
  })
