import * as z from "zod/mini"
import {
  bytes,
  count,
  described,
  document,
  failure,
  iso,
  optional,
  orNull,
  path,
  sessionInfo,
  text,
  time,
} from "./parts.js"

// What the commands print that clean up.

const failed = described(document(failure), "A session that could not be dealt with.")
const trash = () => described(orNull(path()), "Where it is in the trash; null where it did not go.")

export const deleted = z.union([document({ path: path(), dryRun: z.boolean(), trash: trash() }), failed])

export const prune = z.union([
  document({
    path: path(),
    id: text,
    cwd: text,
    name: optional(text),
    modified: time(),
    messageCount: count,
    size: described(bytes(), "Bytes, with the artifacts."),
    dryRun: z.boolean(),
    keptFor: described(orNull(z.enum(["named", "labelled", "leased"])), "Why it stays all the same."),
    trash: trash(),
  }),
  failed,
])

const trashed = document({
  path: path(),
  from: described(path(), "Where it was, and goes back to."),
  deleted: time(),
  batch: described(iso(), "What sessions that went together have in common; `restore` takes it."),
  ...sessionInfo,
  size: described(bytes(), "Bytes, with all that went along."),
})
export const trashLs = z.union([trashed, failed])

export const restore = z.union([
  document({ path: described(path(), "Where it is again."), trash: described(path(), "Where it was in the trash.") }),
  failed,
])

export const trashEmpty = z.union([
  document({ path: path(), from: path(), deleted: time(), size: bytes(), dryRun: z.boolean() }),
  failed,
])

export const relocate = z.union([
  document({
    path: described(path(), "Where it was."),
    id: text,
    from: described(text, "The folder in its header until now."),
    to: described(text, "The folder in its header from now on."),
    newPath: path(),
    dryRun: z.boolean(),
  }),
  failed,
])

const shell = z.enum(["bash", "zsh", "fish"])

export const completion = z.union([
  described(document({ shell, script: text }), "What the shell has to run."),
  described(
    document({
      shell,
      kind: described(
        z.enum(["words", "files", "folders"]),
        "What the last word may become; files and folders the shell knows.",
      ),
      candidates: z.array(z.object({ value: text, description: optional(text) })),
    }),
    "With a command line.",
  ),
])
