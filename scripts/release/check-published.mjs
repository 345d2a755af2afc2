import { mkdirSync } from "node:fs"
import { join } from "node:path"

/** Looks at what the registry has of each package, as those see it who install it. */
export async function checkPublished(runner, { packages, version, temp, env }) {
  const cwd = join(temp, "tarballs")
  mkdirSync(cwd)
  const faults = []
  for (const { name } of packages) {
    const ask = async (args) => JSON.parse(await runner.run("npm", [...args, "--json"], { cwd, env }))
    const manifest = await ask(["view", `${name}@${version}`])
    const [packed] = await ask(["pack", `${name}@${version}`])
    const files = packed.files.map(({ path }) => path)
    const readme = await ask(["view", name, "readme"])
    faults.push(
      ...[...manifestFaults(manifest), ...fileFaults(manifest, files), ...readmeFaults(name, readme)].map(
        (fault) => `${name}: ${fault}`,
      ),
    )
  }
  if (faults.length > 0) throw new Error(faults.join("\n"))
}

function manifestFaults({ dependencies = {}, optionalDependencies = {}, peerDependencies = {}, ...manifest }) {
  const ranges = Object.entries({ ...dependencies, ...optionalDependencies, ...peerDependencies })
  return [
    ...ranges
      .filter(([, range]) => /^(workspace|catalog|link|file):/.test(range))
      .map(([to, range]) => `${to} is ${range}`),
    ...["description", "license", "repository", "engines"]
      .filter((field) => !manifest[field])
      .map((field) => `no ${field}`),
  ]
}

/** What the manifest points at, and what everyone looks for. */
function fileFaults({ exports = {}, bin = {}, man = [] }, files) {
  const targets = [...leaves(exports), ...leaves(bin), ...leaves(man)].map((path) => path.replace(/^\.\//, ""))
  const wanted = [...targets, "README.md", "LICENSE"]
  const untyped = Object.entries(exports).filter(([, target]) => typeof target === "object" && !target.types)
  return [
    ...wanted.filter((path) => !files.includes(path)).map((path) => `${path} is not in it`),
    ...untyped.map(([path]) => `${path} has no types`),
    ...files.filter((path) => /(^|\/)(test|node_modules)\/|tsbuildinfo$/.test(path)).map((path) => `${path} is in it`),
  ]
}

const leaves = (value) => (typeof value === "string" ? [value] : Object.values(value).flatMap(leaves))

const readmeFaults = (name, readme) =>
  typeof readme === "string" && readme.startsWith(`# ${name}`) ? [] : ["the registry shows no README"]
