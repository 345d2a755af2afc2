import { openclawAgent } from "../openclaw/agent.js"
import { qclaw } from "./place.js"

export const agent = openclawAgent(qclaw)
