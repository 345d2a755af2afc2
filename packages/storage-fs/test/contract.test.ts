import { keepsContract } from "./keeps-contract.js"

keepsContract("in buckets", (agentDir) => ({ agentDir }))
