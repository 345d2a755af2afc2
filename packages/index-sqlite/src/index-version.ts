/**
 * The version of the tables of an index, of the words in them, and of the changes that are sent to its thread. A file with another one is
 * built anew.
 */
export const INDEX_VERSION = 21
