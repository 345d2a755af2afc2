import { type Agent, run } from "@openai/agents-core"
import { OpenAISession } from "@treelog/agent-sdks/openai"
import { FileSessionStorage } from "@treelog/storage-fs"

const storage = new FileSessionStorage({ agentDir: "./agent" })

export const answer = (agent: Agent, input: string, sessionId: string) =>
  run(agent, input, { session: new OpenAISession({ storage, sessionId }) })
