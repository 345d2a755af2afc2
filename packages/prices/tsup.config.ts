import { defineConfig } from "tsup"
import { forNode } from "../../tsup.base.js"

export default defineConfig({ ...forNode, platform: "neutral", target: "es2022" })
