// A file of its own, since most commands read no blob.
export { FileBlobSource, FileBlobStore } from "@treelog/blob-store"
