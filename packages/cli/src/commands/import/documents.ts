import * as d from "../../define/document.js"

const stored = {
  status: d.oneOf("created", "appended", "branched", "unchanged"),
  added: d.described("Entries that were added to a session that was there.", d.count),
  rewritten: d.described("How many of them are stored with another content, too.", d.count),
}

const session = {
  sessionId: d.text,
  path: d.path,
  formerId: d.orNull("The id that it had, where it got a new one.", d.text),
  ...stored,
  artifacts: d.described("Files that were stored with it, such as its source, transcripts of sub-agents.", d.count),
  artifactsLeft: d.list("Names of files that were not.", d.text),
  copied: d.list("Hashes of blobs that were copied.", d.text),
  missing: d.list("Hashes of blobs that nobody has.", d.text),
}

const lineCounts = d.mapOf(
  d.object({
    converted: d.described("Lines that are in an entry of the conversation, or in its metadata.", d.count),
    kept: d.described("Lines that are kept as they are, in a custom entry.", d.count),
    skipped: d.described("Lines that are in no entry.", d.count),
    reason: d.optional("Why lines of this kind are skipped.", d.text),
  }),
)

const conversion = {
  from: d.path,
  dryRun: d.flag,
  lines: d.described("Lines of the source.", d.count),
  kinds: d.described("What became of the lines, by kind.", lineCounts),
  unknownKinds: d.list("Kinds that this release does not know; their lines are kept.", d.text),
  diagnostics: d.list("Links that were repaired, lines that cannot be read: places in the source.", d.diagnostic),
}

const imported = d.either(
  d.document({ ...session, cwd: d.path, leafId: d.leafId }),
  d.document("With --from: a session.", { ...conversion, ...session }),
  d.document("With --from: what could not be imported.", { ...d.failure, ...d.ofAgent }),
)

const inTarget = (source: string, target: string) => ({
  to: d.described(`Its key in the ${target}.`, d.text),
  ...stored,
  written: d.described("Bytes that were stored, or would be.", d.bytes),
  id: d.described("Its id in the target.", d.text),
  formerId: d.orNull(
    "The id that it has in the source, where that is the id of another session in the target.",
    d.text,
  ),
  artifactsAdded: d.described("Files that were stored with it, such as transcripts of sub-agents.", d.count),
  missingBlobs: d.list(`Hashes of blobs that the ${source} does not have.`, d.text),
  artifactsLeft: d.list(`Names of files that were not: links, and those of which the ${target} has others.`, d.text),
  dryRun: d.flag,
})

const copied = d.either(
  d.document({
    path: d.described("Its key in the source: of files, an absolute path.", d.text),
    size: d.described("Bytes of the source.", d.bytes),
    ...inTarget("source", "target"),
  }),
  d.document("What could not be copied.", { ...d.failure, ...d.ofAgent }),
)

const unbundled = d.either(
  d.document({
    path: d.described("Its name in the bundle.", d.text),
    size: d.described("Bytes that the session has by the bundle.", d.bytes),
    ...inTarget("bundle", "store"),
  }),
  d.document("What could not be stored.", { ...d.failure, ...d.ofAgent }),
)

const axis = d.object({
  outcome: d.described(
    "The worst that became of any piece.",
    d.oneOf("preserved", "partial", "evidence", "dropped", "absent"),
  ),
  source: d.described("Pieces that the source has. What became of them adds up to it.", d.count),
  preserved: d.described("Pieces that the other model gets as they were.", d.count),
  partial: d.described("Pieces that it gets in another form.", d.count),
  evidence: d.described("Pieces that the copy shows, and no model gets.", d.count),
  dropped: d.described("Pieces that are not in the copy.", d.count),
  reasons: d.described("Pieces by what changed, or why they are not as they were.", d.mapOf(d.count)),
})

const written = d.document("With --to an agent: a session that was written for it.", {
  from: d.described("Its key in the source: of files, an absolute path.", d.text),
  agent: d.described("The agent that it was written for.", d.text),
  id: d.described("With which that agent goes on with it.", d.text),
  path: d.path,
  cwd: d.path,
  status: d.described(
    "`continued`: the agent went on in a copy that has all of it.",
    d.oneOf("created", "appended", "unchanged", "continued"),
  ),
  dryRun: d.flag,
  receipt: d.object("What the copy has of each kind of content. It is in the first line of the copy, too.", {
    ...{ text: axis, thinking: axis, calls: axis, results: axis, images: axis },
    ...{ branches: axis, subAgents: axis, usage: axis, names: axis, compactions: axis },
  }),
})

export const documents = d.either(imported, copied, unbundled, written)
