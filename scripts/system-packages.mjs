// Programs that some tests need and npm does not have. Where this is Debian and we are root they are installed; elsewhere
// their absence is printed, and the tests that need them are skipped with that reason.
import { existsSync } from "node:fs"
import { delimiter, isAbsolute, join } from "node:path"
import { pathToFileURL } from "node:url"
import { capture } from "./tools.mjs"

/** By the name of the program: the Debian package that has it, and what is skipped without it. */
const PROGRAMS = {
  fish: { package: "fish", tests: "completion in fish" },
  zsh: { package: "zsh", tests: "completion in zsh" },
  groff: { package: "groff-base", tests: "the manual page" },
}

const isInstalled = (program) => (isAbsolute(program) ? existsSync(program) : isInPath(program))

const isInPath = (program) =>
  (process.env.PATH ?? "").split(delimiter).some((folder) => folder !== "" && existsSync(join(folder, program)))

/**
 * Installs programs that are missing, where this is Debian and we are root.
 * @param programs by the name of the program: the Debian package that has it
 * @returns the programs that are still missing
 */
export async function installPrograms(programs) {
  const missing = () => Object.keys(programs).filter((program) => !isInstalled(program))
  if (missing().length > 0 && process.getuid?.() === 0 && isInstalled("apt-get")) {
    const packages = [...new Set(missing().map((program) => programs[program]))]
    process.stderr.write(`Installing Debian packages (once): ${packages.join(", ")}\n`)
    const env = { DEBIAN_FRONTEND: "noninteractive" }
    await capture("apt-get", ["update", "-qq"], { env })
    const { code, output } = await capture(
      "apt-get",
      ["install", "-y", "-qq", "--no-install-recommends", ...packages],
      { env },
    )
    if (code !== 0) console.log(output.trimEnd())
  }
  return missing()
}

export async function ensureSystemPackages() {
  const packages = Object.fromEntries(Object.entries(PROGRAMS).map(([program, entry]) => [program, entry.package]))
  for (const program of await installPrograms(packages))
    console.log(`skip ${program} is not installed: ${PROGRAMS[program].tests} cannot be tested`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await ensureSystemPackages()
