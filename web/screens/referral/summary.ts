/** What the screen of referral derives from the exchange's answers. */
import type { Decimal } from '@candor/core/money/brand.ts'
import type { WireReferralEarnings, WireReferralTier } from '@candor/core/protocol/wire/referral/referral.ts'

/** The code in a link: `#/join?code=…`, or before the hash if a messenger rearranged the link. */
export function codeIn(query: URLSearchParams, search: string): string {
  const code = (query.get('code') ?? new URLSearchParams(search).get('code') ?? '').toUpperCase()
  return /^[A-Z0-9]{8}$/.test(code) ? code : ''
}

/** The address that an invited person opens. `page`: the address of the app without its hash. */
export function linkOf(page: string, code: string): string {
  return `${page}#/join?code=${code}`
}

/**
 * The next tier, and how far the volume has come from the present one to it, in percent from 0 to 100.
 *
 * returns    undefined in the last tier
 */
export function nextTier(
  tiers: readonly WireReferralTier[],
  tier: number,
  volume: Decimal,
): { readonly next: WireReferralTier; readonly percent: number; readonly missing: number } | undefined {
  const [now, next] = [tiers[tier], tiers[tier + 1]]
  if (now === undefined || next === undefined) return undefined
  const [from, to] = [Number(now.volumeMin), Number(next.volumeMin)]
  const percent = Math.max(0, Math.min(100, ((Number(volume) - from) / (to - from)) * 100))
  return { next, percent, missing: Math.max(0, to - Number(volume)) }
}

export type Bar = { readonly day: number; readonly total: number; readonly first: number; readonly second: number }

/** Bars of the days, each part in percent of the best day; without any commission all are 0. */
export function barsOf({ days }: Pick<WireReferralEarnings, 'days'>): readonly Bar[] {
  const most = Math.max(...days.map(({ first, second }) => Number(first) + Number(second)), 0)
  return days.map(({ day, first, second }) => {
    const part = (sum: Decimal): number => (most === 0 ? 0 : (Number(sum) / most) * 100)
    return { day, total: Number(first) + Number(second), first: part(first), second: part(second) }
  })
}

/** Digits behind the point that a share in percent has: "20" has none, "2.5" one. */
export function digitsOf(share: Decimal): number {
  return share.split('.')[1]?.length ?? 0
}
