/** What is needed to build a package is no business of those who install it: some of it is private. */
function beforePacking({ devDependencies, ...manifest }) {
  return manifest
}

module.exports = { hooks: { beforePacking } }
