import type { Agent } from "../frame/agent.js"
import { asides, atWork, cleared, compaction, goingBack, talk } from "./scenarios.js"

/** The newest version whose packages npm has all. */
const VERSION = "18.2.3"

/** Its command is a bundle, which runs with Bun and needs its native part and a parser. */
export const OMP: Agent = {
  program: "omp",
  packages: ["bun", `@oh-my-pi/pi-natives@${VERSION}`, "@babel/parser"],
  bundles: [`@oh-my-pi/pi-coding-agent@${VERSION}`],
  installScript: "bun/install.js",
  scenarios: [talk, compaction, goingBack, atWork, asides, cleared],
}
