// Generators, temporary folders, a faulty file system, a fake clock.
export {}
