/** State that instrumented code reads at every mutated place: see `quicken.ts`. */
export type Live = {
  /** Number of the mutant that is active; −1 for none. */
  active: number
  /** Visits of mutated places by mutant, if they are counted. */
  visits: Float64Array | undefined
  /** How many more visits of its place the active mutant has. */
  hits: number
}

export const live = ((globalThis as { candorMutant?: Live }).candorMutant ??= { active: -1, visits: undefined, hits: Infinity })
