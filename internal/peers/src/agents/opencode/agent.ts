import type { Agent } from "../frame/agent.js"
import { scenariosOf } from "./scenarios.js"
import { PROGRAM, preview } from "./second.js"

export const OPENCODE: Agent = {
  program: "opencode",
  packages: ["opencode-ai"],
  installScript: "opencode-ai/postinstall.mjs",
  scenarios: scenariosOf("opencode"),
}

/** npm has binaries of a preview of opencode 2 for some machines. */
export const OPENCODE_2: Agent = {
  program: PROGRAM,
  ...binaryOf("@opencode-ai/cli", PROGRAM),
  scenarios: [preview],
}

/** What npm has of `@kilocode/cli` names binaries that it has not. */
export const KILO: Agent = {
  program: "kilo",
  ...binaryOf("@kilocode/cli", "kilo"),
  scenarios: scenariosOf("kilo"),
}

/** A command in a package for this machine. */
function binaryOf(name: string, command: string): Pick<Agent, "packages" | "commands"> {
  const own = `${name}-${process.platform}-${process.arch}`
  return { packages: [own], commands: { [command]: `${own}/bin/${command}` } }
}
