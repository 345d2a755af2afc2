/** The version of the tables of an index, and of the words and files in them. A file with another one is built anew. */
export const INDEX_VERSION = 28
