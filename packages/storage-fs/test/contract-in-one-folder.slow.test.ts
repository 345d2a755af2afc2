import { join } from "node:path"
import { keepsContract } from "./keeps-contract.js"

// Slow, as it differs from the contract in buckets by its paths alone.
keepsContract("in one folder", (dir) => ({ agentDir: join(dir, "agent"), sessionDir: join(dir, "flat") }))
