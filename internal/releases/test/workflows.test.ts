import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { parse } from "yaml"

const ROOT = fileURLToPath(new URL("../../..", import.meta.url))
const FOLDER = join(ROOT, ".github", "workflows")

interface Step {
  uses?: string
  run?: string
  with?: Record<string, unknown>
  env?: Record<string, unknown>
}

interface Job {
  permissions?: Record<string, string>
  "runs-on": string
  "timeout-minutes"?: number
  strategy?: { matrix: Record<string, unknown[]> }
  steps: Step[]
}

interface Workflow {
  permissions?: Record<string, string>
  concurrency?: object
  jobs: Record<string, Job>
}

const readWorkflow = (file: string): string => readFileSync(join(FOLDER, file), "utf8")
const files = readdirSync(FOLDER)
const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: Record<string, string> }

describe.each(files)("the workflow %s", (file) => {
  const text = readWorkflow(file)
  const workflow = parse(text) as Workflow
  const jobs = Object.values(workflow.jobs)
  const steps = jobs.flatMap((job) => job.steps)

  test("takes each action at a commit, and says which version that is", () => {
    const lines = text.split("\n").filter((line) => /^\s*(- )?uses:/.test(line))
    expect(lines).toHaveLength(steps.filter(({ uses }) => uses !== undefined).length)
    expect(lines.filter((line) => !/uses: [\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([])
  })

  test("says what it may do, which is to read unless a job says more", () => {
    expect(Object.values(workflow.permissions ?? { contents: "write" }).filter((right) => right !== "read")).toEqual([])
  })

  test("ends, and does not run beside itself", () => {
    expect(jobs.filter((job) => job["timeout-minutes"] === undefined)).toEqual([])
    expect(workflow.concurrency).toBeDefined()
  })

  test("calls scripts that are there, and nothing else", () => {
    const commands = steps.flatMap(({ run, with: given = {} }) =>
      [run, given.version, given.publish].filter((command) => command !== undefined),
    )
    const scripts = commands.map((command) => /^npm (?:run )?([\w:-]+)(?: -- .+)?$/.exec(String(command))?.[1])
    expect(scripts.filter((name) => name === undefined || manifest.scripts[name] === undefined)).toEqual([])
  })
})

test("the fast tests run with each Node that is supported and on each system, the slow ones with one", () => {
  const { jobs } = parse(readWorkflow("ci.yml")) as Workflow
  const runs = (job: Job | undefined, command: string) => job?.steps.some(({ run }) => run === command)
  expect(jobs.test?.strategy?.matrix).toEqual({ node: [20, 22, 24, 26] })
  expect(jobs.test?.["runs-on"]).toBe("ubuntu-latest")
  expect([runs(jobs.test, "npm test"), runs(jobs.systems, "npm test"), runs(jobs.slow, "npm run test:slow")]).toEqual([
    true,
    true,
    true,
  ])
  expect(jobs.systems?.strategy?.matrix).toEqual({ system: ["macos-latest", "windows-latest"], node: [20, 26] })
})

test("only the job that publishes may write, and says where the packages were built", () => {
  const { jobs } = parse(readWorkflow("release.yml")) as Workflow
  const writing = Object.entries(jobs).filter(([, { permissions = {} }]) =>
    Object.values(permissions).includes("write"),
  )
  expect(writing.map(([name]) => name)).toEqual(["release"])
  expect(jobs.release?.permissions).toEqual({ contents: "write", "pull-requests": "write", "id-token": "write" })
  expect(jobs.release?.steps.at(-1)?.env).toMatchObject({ NPM_CONFIG_PROVENANCE: true })
})

test.each(readdirSync(join(ROOT, "packages")))("%s can be published without provenance, too", (name) => {
  const { publishConfig } = JSON.parse(readFileSync(join(ROOT, "packages", name, "package.json"), "utf8"))
  expect(publishConfig).toMatchObject({ access: "public" })
  expect(publishConfig).not.toHaveProperty("provenance")
})
