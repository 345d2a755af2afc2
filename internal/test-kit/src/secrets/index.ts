export { Random } from "../generator/random.js"
export { PLANTED_KINDS, type PlantedSecret, plantedSecrets } from "./planted-secrets.js"
export { sourceTexts } from "./source-texts.js"
