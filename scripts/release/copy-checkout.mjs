import { cpSync, existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import { ROOT } from "../tools.mjs"

/** A clone of this checkout with what is not committed yet. It knows no remote, so that nothing can be pushed from it. */
export async function copyCheckout(runner, tree) {
  const git = (...args) => runner.run("git", args, { cwd: ROOT })
  await git("clone", "--quiet", "--no-hardlinks", ROOT, tree)
  await runner.run("git", ["remote", "remove", "origin"], { cwd: tree })
  const changed = await git("diff", "HEAD", "--no-renames", "--name-only", "-z")
  const added = await git("ls-files", "--others", "--exclude-standard", "-z")
  for (const path of `${changed}${added}`.split("\0").filter(Boolean)) {
    if (existsSync(join(ROOT, path))) cpSync(join(ROOT, path), join(tree, path))
    else rmSync(join(tree, path), { force: true })
  }
}
