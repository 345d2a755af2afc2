import { createHash } from "node:crypto"
import { ROOT } from "../tools.mjs"

/** What git says of this checkout, in one digest: the commit, what changed since, and what is not in git. */
export async function checkoutState(runner) {
  const answers = []
  for (const args of [
    ["rev-parse", "HEAD"],
    ["status", "--porcelain", "-z", "--untracked-files=all"],
    ["diff", "HEAD", "--binary"],
  ]) {
    answers.push(await runner.run("git", args, { cwd: ROOT }))
  }
  return createHash("sha256").update(answers.join("\0")).digest("hex")
}
