const ageMin = 18

/** Whether somebody born on this day (YYYY-MM-DD) is 18 at `now`, wherever on earth they are. */
export function isOfAge(born: string, now: number): boolean {
  const [year, month, day] = born.split('-').map(Number) as [number, number, number]
  // Midnight begins latest at 12 hours west of Greenwich. Born on 29 February: of age on 1 March.
  return now >= Date.UTC(year + ageMin, month - 1, day, 12)
}
