/**
 * The version of the rules: another one where other secrets may be found, or be named otherwise. A digest of this package's code, which a
 * test compares.
 */
export const RULES_VERSION = "a393fc5fc89a"
