/** Leaves out what only builds a package; some of it is private. */
function beforePacking({ devDependencies, scripts, ...manifest }) {
  return manifest
}

module.exports = { hooks: { beforePacking } }
