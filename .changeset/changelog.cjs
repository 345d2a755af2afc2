// How a changeset becomes text in the changelogs: as it was written, and nothing else. It asks no service, so that a
// rehearsal without a token writes what the release will write. All packages carry one version: that a package needs the
// others of its release goes without saying.

const bullet = (text) => {
  const [first, ...rest] = text.trim().split("\n")
  return [`- ${first}`, ...rest.map((line) => (line === "" ? "" : `  ${line}`))].join("\n")
}

module.exports = {
  getReleaseLine: async ({ summary }) => bullet(summary),
  getDependencyReleaseLine: async () => "",
}
