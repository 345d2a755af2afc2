import {
  bytes,
  count,
  described,
  diagnostic,
  document,
  either,
  failure,
  flag,
  leafId,
  list,
  mapOf,
  object,
  ofAgent,
  oneOf,
  optional,
  orNull,
  path,
  text,
} from "../../define/document.js"

const importedFile = document({
  sessionId: text,
  path,
  cwd: path,
  leafId,
  formerId: described(orNull(text), "The id that it had, where it got a new one."),
  status: oneOf("created", "appended", "branched", "unchanged"),
  added: described(count, "Entries that were added to a session that was there."),
  rewritten: described(count, "How many of them are stored with another content, too."),
  artifacts: described(count, "Files that were stored with the session, such as transcripts of sub-agents."),
  artifactsLeft: described(list(text), "Names of files that were not."),
  copied: described(list(text), "Hashes of blobs that were copied."),
  missing: described(list(text), "Hashes of blobs that nobody has."),
})

const lineCounts = mapOf(
  object({
    converted: described(count, "Lines that are in an entry of the conversation, or in its metadata."),
    kept: described(count, "Lines that are kept as they are, in a custom entry."),
    skipped: described(count, "Lines that are in no entry."),
    reason: optional(described(text, "Why lines of this kind are skipped.")),
  }),
)

const conversion = {
  from: path,
  dryRun: flag,
  lines: described(count, "Lines of the source."),
  kinds: described(lineCounts, "What became of the lines, by kind."),
  unknownKinds: described(list(text), "Kinds that this release does not know; their lines are kept."),
  diagnostics: described(
    list(diagnostic),
    "Links that were repaired, lines that cannot be read: places in the source.",
  ),
}

const imported = either(
  importedFile,
  described(
    document({
      ...conversion,
      sessionId: text,
      path,
      status: oneOf("created", "appended", "branched", "unchanged"),
      added: described(count, "Entries that were added to a session that was imported before."),
      rewritten: described(count, "How many of them are stored with another content too."),
      formerId: orNull(text),
      copied: list(text),
      missing: list(text),
      artifacts: described(count, "Files that were stored with the session: its source, transcripts of sub-agents."),
      artifactsLeft: described(list(text), "Names of files that were not."),
    }),
    "With --from: a session.",
  ),
  described(document({ ...failure, ...ofAgent }), "With --from: what could not be imported."),
)

const inTarget = (source: string, target: string) => ({
  to: described(text, `Its key in the ${target}.`),
  status: oneOf("created", "appended", "branched", "unchanged"),
  written: described(bytes, "Bytes that were stored, or would be."),
  id: described(text, "Its id in the target."),
  formerId: described(
    orNull(text),
    "The id that it has in the source, where that is the id of another session in the target.",
  ),
  added: described(count, "Entries that were added to a session that was there."),
  rewritten: described(count, "How many of them are stored with another content, too."),
  artifactsAdded: described(count, "Files that were stored with it, such as transcripts of sub-agents."),
  missingBlobs: described(list(text), `Hashes of blobs that the ${source} does not have.`),
  artifactsLeft: described(
    list(text),
    `Names of files that were not: links, and those of which the ${target} has others.`,
  ),
  dryRun: flag,
})

const copied = either(
  document({
    path: described(text, "Its key in the source: of files, an absolute path."),
    size: described(bytes, "Bytes of the source."),
    ...inTarget("source", "target"),
  }),
  described(document({ ...failure, ...ofAgent }), "What could not be copied."),
)

const unbundled = either(
  document({
    path: described(text, "Its name in the bundle."),
    size: described(bytes, "Bytes that the session has by the bundle."),
    ...inTarget("bundle", "store"),
  }),
  described(document({ ...failure, ...ofAgent }), "What could not be stored."),
)

const fates = {
  source: described(count, "Pieces that the source has. What became of them adds up to it."),
  preserved: described(count, "Pieces that the other model gets as they were."),
  partial: described(count, "Pieces that it gets in another form."),
  evidence: described(count, "Pieces that the copy shows, and no model gets."),
  dropped: described(count, "Pieces that are not in the copy."),
}

const axis = object({
  outcome: described(
    oneOf("preserved", "partial", "evidence", "dropped", "absent"),
    "The worst that became of any piece.",
  ),
  ...fates,
  reasons: described(mapOf(count), "Pieces by what changed, or why they are not as they were."),
})

const written = described(
  document({
    from: described(text, "Its key in the source: of files, an absolute path."),
    agent: described(text, "The agent that it was written for."),
    id: described(text, "With which that agent goes on with it."),
    path,
    cwd: path,
    status: described(
      oneOf("created", "appended", "unchanged", "continued"),
      "`continued`: the agent went on in a copy that has all of it.",
    ),
    dryRun: flag,
    receipt: described(
      object({
        ...{ text: axis, thinking: axis, calls: axis, results: axis, images: axis },
        ...{ branches: axis, subAgents: axis, usage: axis, names: axis, compactions: axis },
      }),
      "What the copy has of each kind of content. It is in the first line of the copy, too.",
    ),
  }),
  "With --to an agent: a session that was written for it.",
)

/** What `treelog import --json` prints. */
export const documents = either(imported, copied, unbundled, written)
