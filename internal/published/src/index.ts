export { removeFoldersAfterAll } from "./temporary-folder.js"
export { type BuiltProject, buildViteProject } from "./vite-project.js"
