/** Bounds of the chosen days in milliseconds, both included. A day that is not chosen bounds nothing; days in the wrong order are swapped. */
export function boundsOf(first: string, last: string, startOf: (day: string) => number): { readonly from?: number; readonly to?: number } {
  const [since, until] = first !== '' && last !== '' && first > last ? [last, first] : [first, last]
  return {
    ...(since === '' ? {} : { from: startOf(since) }),
    ...(until === '' ? {} : { to: startOf(dayAfter(until)) - 1 }),
  }
}

/** The start of a day of this device's clock. */
export const localStart = (day: string): number => new Date(`${day}T00:00:00`).getTime()

function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
}
