import { opencodeAgent } from "../opencode/agent.js"
import { kilo } from "./place.js"

export const agent = opencodeAgent(kilo)
