import * as d from "../../define/document.js"

const importedFile = d.document({
  sessionId: d.text,
  path: d.path,
  cwd: d.path,
  leafId: d.leafId,
  formerId: d.described(d.orNull(d.text), "The id that it had, where it got a new one."),
  status: d.oneOf("created", "appended", "branched", "unchanged"),
  added: d.described(d.count, "Entries that were added to a session that was there."),
  rewritten: d.described(d.count, "How many of them are stored with another content, too."),
  artifacts: d.described(d.count, "Files that were stored with the session, such as transcripts of sub-agents."),
  artifactsLeft: d.described(d.list(d.text), "Names of files that were not."),
  copied: d.described(d.list(d.text), "Hashes of blobs that were copied."),
  missing: d.described(d.list(d.text), "Hashes of blobs that nobody has."),
})

const lineCounts = d.mapOf(
  d.object({
    converted: d.described(d.count, "Lines that are in an entry of the conversation, or in its metadata."),
    kept: d.described(d.count, "Lines that are kept as they are, in a custom entry."),
    skipped: d.described(d.count, "Lines that are in no entry."),
    reason: d.optional(d.described(d.text, "Why lines of this kind are skipped.")),
  }),
)

const conversion = {
  from: d.path,
  dryRun: d.flag,
  lines: d.described(d.count, "Lines of the source."),
  kinds: d.described(lineCounts, "What became of the lines, by kind."),
  unknownKinds: d.described(d.list(d.text), "Kinds that this release does not know; their lines are kept."),
  diagnostics: d.described(
    d.list(d.diagnostic),
    "Links that were repaired, lines that cannot be read: places in the source.",
  ),
}

const imported = d.either(
  importedFile,
  d.described(
    d.document({
      ...conversion,
      sessionId: d.text,
      path: d.path,
      status: d.oneOf("created", "appended", "branched", "unchanged"),
      added: d.described(d.count, "Entries that were added to a session that was imported before."),
      rewritten: d.described(d.count, "How many of them are stored with another content too."),
      formerId: d.orNull(d.text),
      copied: d.list(d.text),
      missing: d.list(d.text),
      artifacts: d.described(
        d.count,
        "Files that were stored with the session: its source, transcripts of sub-agents.",
      ),
      artifactsLeft: d.described(d.list(d.text), "Names of files that were not."),
    }),
    "With --from: a session.",
  ),
  d.described(d.document({ ...d.failure, ...d.ofAgent }), "With --from: what could not be imported."),
)

const inTarget = (source: string, target: string) => ({
  to: d.described(d.text, `Its key in the ${target}.`),
  status: d.oneOf("created", "appended", "branched", "unchanged"),
  written: d.described(d.bytes, "Bytes that were stored, or would be."),
  id: d.described(d.text, "Its id in the target."),
  formerId: d.described(
    d.orNull(d.text),
    "The id that it has in the source, where that is the id of another session in the target.",
  ),
  added: d.described(d.count, "Entries that were added to a session that was there."),
  rewritten: d.described(d.count, "How many of them are stored with another content, too."),
  artifactsAdded: d.described(d.count, "Files that were stored with it, such as transcripts of sub-agents."),
  missingBlobs: d.described(d.list(d.text), `Hashes of blobs that the ${source} does not have.`),
  artifactsLeft: d.described(
    d.list(d.text),
    `Names of files that were not: links, and those of which the ${target} has others.`,
  ),
  dryRun: d.flag,
})

const copied = d.either(
  d.document({
    path: d.described(d.text, "Its key in the source: of files, an absolute path."),
    size: d.described(d.bytes, "Bytes of the source."),
    ...inTarget("source", "target"),
  }),
  d.described(d.document({ ...d.failure, ...d.ofAgent }), "What could not be copied."),
)

const unbundled = d.either(
  d.document({
    path: d.described(d.text, "Its name in the bundle."),
    size: d.described(d.bytes, "Bytes that the session has by the bundle."),
    ...inTarget("bundle", "store"),
  }),
  d.described(d.document({ ...d.failure, ...d.ofAgent }), "What could not be stored."),
)

const fates = {
  source: d.described(d.count, "Pieces that the source has. What became of them adds up to it."),
  preserved: d.described(d.count, "Pieces that the other model gets as they were."),
  partial: d.described(d.count, "Pieces that it gets in another form."),
  evidence: d.described(d.count, "Pieces that the copy shows, and no model gets."),
  dropped: d.described(d.count, "Pieces that are not in the copy."),
}

const axis = d.object({
  outcome: d.described(
    d.oneOf("preserved", "partial", "evidence", "dropped", "absent"),
    "The worst that became of any piece.",
  ),
  ...fates,
  reasons: d.described(d.mapOf(d.count), "Pieces by what changed, or why they are not as they were."),
})

const written = d.described(
  d.document({
    from: d.described(d.text, "Its key in the source: of files, an absolute path."),
    agent: d.described(d.text, "The agent that it was written for."),
    id: d.described(d.text, "With which that agent goes on with it."),
    path: d.path,
    cwd: d.path,
    status: d.described(
      d.oneOf("created", "appended", "unchanged", "continued"),
      "`continued`: the agent went on in a copy that has all of it.",
    ),
    dryRun: d.flag,
    receipt: d.described(
      d.object({
        ...{ text: axis, thinking: axis, calls: axis, results: axis, images: axis },
        ...{ branches: axis, subAgents: axis, usage: axis, names: axis, compactions: axis },
      }),
      "What the copy has of each kind of content. It is in the first line of the copy, too.",
    ),
  }),
  "With --to an agent: a session that was written for it.",
)

/** What `treelog import --json` prints. */
export const documents = d.either(imported, copied, unbundled, written)
