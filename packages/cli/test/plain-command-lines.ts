/** Arguments that each command needs. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  append: ["@last", "--role", "user", "--text", "Hi"],
  branch: ["@last", "root"],
  compact: ["@last", "--dry-run"],
  fork: ["@last"],
  label: ["@last", "one"],
  name: ["@last"],
  repair: ["@last"],
  "blobs slim": ["@last"],
  "blobs inflate": ["@last"],
  import: ["session.jsonl"],
  delete: ["@last", "--permanent"],
  "trash restore": ["--last"],
  relocate: ["--from", ".", "--to", "../moved"],
  restore: ["@last"],
  resume: ["--last"],
  view: ["@last", "--no-open"],
  search: ["x"],
  files: ["x.ts"],
  completion: ["bash", "--", "treelog show ", ""],
}

/** A command line that needs nothing but a session of the project: for what must hold of all commands. */
export function plainCommandLine(name: string): string[] {
  return [...name.split(" "), ...plainArguments(name)]
}

export function plainArguments(name: string): readonly string[] {
  return ARGUMENTS[name] ?? []
}
