import type { WireFirmRule } from '@candor/core/protocol/wire/firm/firm.ts'

/** Whether a rule of several people needs all who may approve, so that the loss of one stops everything. */
export function needsEverybody({ bands, addressPeople }: WireFirmRule, approvers: number): boolean {
  return approvers > 1 && Math.max(addressPeople, ...bands.map(({ people }) => people)) >= approvers
}

/** What is wrong with a rule: bands that do not rise, in value or people, or more people than can approve. */
export function ruleFault({ bands, addressPeople }: WireFirmRule, approvers: number): 'rising' | 'people' | undefined {
  const counts = [addressPeople, ...bands.map(({ people }) => people)]
  if (counts.some((count) => count < 1 || count > approvers)) return 'people'
  const rises = bands.every(({ upTo, people }, n) => {
    const before = bands[n - 1]
    if (upTo !== null && !(Number(upTo) > 0)) return false
    return before === undefined || ((upTo === null || Number(upTo) > Number(before.upTo)) && people >= before.people)
  })
  return rises ? undefined : 'rising'
}
