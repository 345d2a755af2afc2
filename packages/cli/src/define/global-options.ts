import { STORES } from "@treelog/stores"
import type { OptionDefinition } from "./command.js"

export const GLOBAL_OPTIONS: readonly OptionDefinition[] = [
  ["--store <store>", `a program (${STORES.join(", ")}), a folder, postgres://host/database, or all for every program`],
  ["--agent-dir <folder>", "a store: the folder that contains `sessions`", { isHidden: true }],
  ["--session-dir <folder>", "a folder of session files, instead of a store", { isHidden: true }],
  ["--all-stores", "of all programs that have a store here", { isHidden: true, conflicts: "store" }],
  ["--blobs <place>", "where images are: a folder, or s3://bucket/prefix (default: in the store of files)"],
  ["--cwd <folder>", "project folder (default: this folder)"],
  ["--all", "sessions of every project"],
  ["--json", "print JSON; errors too, on stderr"],
  ["--no-color", "print without colours"],
  ["--no-pager", "print without a pager"],
  ["--no-input", "never ask; name the option to use instead"],
  ["-q, --quiet", "print only errors on stderr"],
  ["--debug", "print the stack of an error"],
]
