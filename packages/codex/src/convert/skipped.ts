/** Why lines are in no entry. */
export const SKIPPED = {
  mirrors: "repeats an item of the same file",
  repeated: "says nothing new",
  state: "the state of the program, which the items repeat for the model",
  turns: "the start or end of a turn, with its times",
  base: "usage of a thread that this one was forked from",
} as const
