/** Where a presale and a subscription stand, in the words of the screens. */
import type { Decimal } from '@candor/core/money/brand.ts'
import type { PresaleOutcome, PresaleState, WirePresale, WirePresaleSubscription } from '@candor/core/protocol/wire/presale.ts'

/** A presale's state, or how it ended without an allocation. */
export type PresaleWord = PresaleState | Exclude<PresaleOutcome, 'allocated'>

/**
 * A subscription: `subscribing` while more may come, `participating` while the allocation is awaited, `locked` while some tokens are,
 * `released` when none is any more, `refunded` if everything came back.
 */
export type Standing = 'subscribing' | 'participating' | 'locked' | 'released' | 'refunded'

export type Group = 'live' | 'upcoming' | 'ended'
/** The groups of the list, in its order. */
export const groups: readonly Group[] = ['live', 'upcoming', 'ended']

export function wordOf({ state, outcome }: { readonly state: PresaleState; readonly outcome: PresaleOutcome | null }): PresaleWord {
  return outcome === null || outcome === 'allocated' ? state : outcome
}

/** The presales of one group. The next to begin comes first of the upcoming ones, the newest of the others. */
export function inGroup<P extends WirePresale>(group: Group, presales: readonly P[]): readonly P[] {
  const own = presales.filter((presale) => groupOf(presale) === group)
  return own.sort((a, b) => (group === 'upcoming' ? a.startsAt - b.startsAt : b.startsAt - a.startsAt))
}

/** A presale that was cancelled before its start is over. */
export function groupOf({ state, outcome }: Pick<WirePresale, 'state' | 'outcome'>): Group {
  if (outcome !== null) return 'ended'
  return state === 'subscribing' ? 'live' : state === 'upcoming' ? 'upcoming' : 'ended'
}

export function standingOf({
  state,
  outcome,
  allocated,
  locked,
}: Pick<WirePresaleSubscription, 'state' | 'outcome' | 'allocated' | 'locked'>): Standing {
  if (outcome === 'missed' || outcome === 'cancelled') return 'refunded'
  if (outcome === null) return state === 'subscribing' ? 'subscribing' : 'participating'
  if (isNone(allocated)) return 'refunded'
  return isNone(locked) ? 'released' : 'locked'
}

export function isNone(sum: Decimal | null): boolean {
  return sum === null || Number(sum) === 0
}

/** A part in percent for a bar, 0 to 100. Of nothing, it is 0. */
export function partOf(part: Decimal | null, whole: Decimal | null): number {
  if (isNone(whole)) return 0
  return Math.min(100, Math.max(0, (Number(part ?? 0) / Number(whole)) * 100))
}
