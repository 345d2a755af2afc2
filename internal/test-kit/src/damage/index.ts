export { type Damage, damageBytes } from "./damage-bytes.js"
