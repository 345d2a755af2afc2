import { FILTER_NAMES, FILTERS, type FilterValues, filterValues } from "@treelog/session-core/search"
import { z } from "zod"

type FilterName = (typeof FILTER_NAMES)[number]

type FilterInputs = Record<FilterName, z.ZodOptional<z.ZodString>>

/** The inputs of a tool that limit it to some sessions. */
export function filterInputs(): FilterInputs {
  return Object.fromEntries(
    FILTER_NAMES.map((name) => [name, z.string().optional().describe(FILTERS[name].help)]),
  ) as FilterInputs
}

/** The filters among the inputs of a call. */
export function filtersIn(given: { readonly [Name in FilterName]?: string | undefined }): FilterValues {
  return filterValues((name) => given[name])
}
