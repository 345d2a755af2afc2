/**
 * The version of the rules: another one where other secrets may be found, or be named otherwise. A digest of this package's code and of the
 * version of secretlint, which a test compares.
 */
export const RULES_VERSION = "6311cff56a53"
