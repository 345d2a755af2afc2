export {
  countIn,
  isObject,
  type Json,
  objectIn,
  objectsIn,
  parsedObject,
  textIn,
  without,
} from "@treelog-internal/agent-files"
