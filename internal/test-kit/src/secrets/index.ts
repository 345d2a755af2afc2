export { Random } from "../generator/random.js"
export { PLANTED_KINDS, type PlantedSecret, plantedSecrets, sourceTexts } from "./planted-secrets.js"
