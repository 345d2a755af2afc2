// By itself, so that a bundle has no more of the index than its driver.
export { loadDriver } from "@treelog/index-sqlite"
