import * as team from "./claude-code/scenarios/agents.js"
import * as work from "./claude-code/scenarios/at-work.js"
import * as attached from "./claude-code/scenarios/attached.js"
import * as back from "./claude-code/scenarios/going-back.js"
import * as replies from "./claude-code/scenarios/odd-replies.js"
import * as claude from "./claude-code/scenarios/talk.js"
import * as cline from "./cline/scenarios.js"
import * as codex from "./codex/scenarios.js"
import * as copilot from "./copilot/scenarios.js"
import * as droid from "./droid/scenarios.js"
import type { Agent, Scenario } from "./frame/agent.js"
import * as gemini from "./gemini/scenarios.js"
import * as kimi from "./kimi/scenarios.js"
import * as live from "./live/live-agents.js"
import { liveStates } from "./live/live-states.js"
import { twoProcesses } from "./live/two-processes.js"
import * as omp from "./omp/scenarios.js"
import * as openclaw from "./openclaw/scenarios.js"
import { scenariosOf } from "./opencode/scenarios.js"
import { PROGRAM, preview } from "./opencode/second.js"
import * as listing from "./owner/listing-agents.js"
import { ownList } from "./owner/own-list.js"
import * as pi from "./pi/scenarios.js"
import * as qwen from "./qwen/scenarios.js"

/** The newest version of omp whose packages npm has all. */
const OMP = "18.2.3"
/** pi and OpenClaw ask for a newer Node than treelog: npm has its binaries. */
const NODE = `node-${process.platform}-${process.arch}`

/** What a file of scenarios exports are scenarios, but of pi, which shares more with omp. */
export const AGENTS: readonly Agent[] = [
  {
    program: "claude",
    packages: ["@anthropic-ai/claude-code"],
    installScript: "@anthropic-ai/claude-code/install.cjs",
    scenarios: [
      ...[claude, replies, attached, team, back, work].flatMap((scenarios) => Object.values<Scenario>(scenarios)),
      ownList(listing.CLAUDE_CODE),
      liveStates(live.CLAUDE_CODE),
      twoProcesses(live.CLAUDE_CODE),
    ],
  },
  {
    program: "codex",
    packages: ["@openai/codex"],
    scenarios: [...Object.values(codex), ownList(listing.CODEX), liveStates(live.CODEX)],
  },
  {
    program: "pi",
    // It makes pictures small with the second one.
    packages: [NODE, "@silvia-odwyer/photon-node"],
    bundles: ["@earendil-works/pi-coding-agent"],
    scenarios: [pi.talk, pi.compaction, pi.goingBack, ownList(listing.PI), liveStates(live.PI), twoProcesses(live.PI)],
  },
  // Its command is a bundle, which runs with Bun and needs its native part and a parser.
  {
    program: "omp",
    packages: ["bun", `@oh-my-pi/pi-natives@${OMP}`, "@babel/parser"],
    bundles: [`@oh-my-pi/pi-coding-agent@${OMP}`],
    installScript: "bun/install.js",
    scenarios: Object.values(omp),
  },
  {
    program: "opencode",
    packages: ["opencode-ai"],
    installScript: "opencode-ai/postinstall.mjs",
    scenarios: [...scenariosOf("opencode"), ownList(listing.OPENCODE)],
  },
  // npm has binaries of a preview of opencode 2 for some machines.
  { program: PROGRAM, ...binaryOf("@opencode-ai/cli", PROGRAM), scenarios: [preview] },
  // What npm has of `@kilocode/cli` names binaries that it has not.
  { program: "kilo", ...binaryOf("@kilocode/cli", "kilo"), scenarios: scenariosOf("kilo") },
  {
    program: "copilot",
    packages: ["@github/copilot"],
    scenarios: [
      ...Object.values(copilot),
      ownList(listing.COPILOT),
      liveStates(live.COPILOT),
      twoProcesses(live.COPILOT),
    ],
  },
  { program: "openclaw", packages: [NODE, "openclaw"], scenarios: Object.values(openclaw) },
  {
    program: "gemini",
    packages: ["@google/gemini-cli"],
    scenarios: [...Object.values(gemini), ownList(listing.GEMINI), liveStates(live.GEMINI), twoProcesses(live.GEMINI)],
  },
  {
    program: "qwen",
    // It needs a newer Node than this repository.
    packages: ["@qwen-code/qwen-code", "node"],
    installScript: "node/installArchSpecificPackage.js",
    scenarios: [...Object.values(qwen), ownList(listing.QWEN), liveStates(live.QWEN)],
  },
  // Its command is a binary, which its package starts.
  {
    program: "droid",
    packages: ["droid"],
    installScript: "droid/install.js",
    scenarios: Object.values<Scenario>(droid),
  },
  {
    program: "kimi",
    // It needs a newer Node than this repository.
    packages: ["@moonshot-ai/kimi-code", "node"],
    installScript: "node/installArchSpecificPackage.js",
    scenarios: Object.values<Scenario>(kimi),
  },
  { program: "cline", packages: ["cline"], scenarios: Object.values(cline) },
]

/** A command in a package for this machine. */
function binaryOf(name: string, command: string): Pick<Agent, "packages" | "commands"> {
  const own = `${name}-${process.platform}-${process.arch}`
  return { packages: [own], commands: { [command]: `${own}/bin/${command}` } }
}
