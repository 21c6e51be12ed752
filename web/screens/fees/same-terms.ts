/** Groups things with the same terms, in the order of the first of each group. */
export function sameTerms<Thing>(things: readonly Thing[], termsOf: (thing: Thing) => string): readonly (readonly Thing[])[] {
  return [...Map.groupBy(things, termsOf).values()]
}
