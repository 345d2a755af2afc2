import { defineConfig } from "tsup"
import { forNode } from "../../tsup.base.js"

export default defineConfig(forNode)
