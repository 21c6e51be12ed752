import type { PresaleTerms } from '@candor/core/protocol/command/presale.ts'
import type { PresaleOutcome, PresaleState } from '@candor/core/protocol/wire/presale.ts'

type Facts = { readonly terms: PresaleTerms; readonly outcome: PresaleOutcome | null; readonly unlockedAt: number | null }

/** Where a presale stands at this time, by its row in the tables. */
export function presaleStateOf({ terms, outcome, unlockedAt }: Facts, now: number): PresaleState {
  if (outcome === 'allocated') return unlockedAt === null ? 'locked' : 'released'
  if (outcome !== null || now >= terms.endsAt) return 'ended'
  return now < terms.startsAt ? 'upcoming' : 'subscribing'
}
