import type { Ppm, Units } from '@candor/core/money/brand.ts'
import type { ReferralTerms } from '@candor/core/protocol/command/referral.ts'
import type { Ask, Submit } from '@candor/core/protocol/port.ts'
import { acceptedAtFirst } from '../first-accepted.ts'

const usdt = (whole: number): Units => (whole * 1_000_000) as Units
const percent = (share: number): Ppm => (share * 10_000) as Ppm

/** Initial terms of referral. In production it is closed until two members of the staff open it. */
export function firstReferralTerms(mode: 'sandbox' | 'production'): ReferralTerms {
  return {
    isOpen: mode === 'sandbox',
    tiers: [
      { volumeMin: usdt(0), sharePpm: percent(20) },
      { volumeMin: usdt(1_000_000), sharePpm: percent(25) },
      { volumeMin: usdt(10_000_000), sharePpm: percent(30) },
      { volumeMin: usdt(50_000_000), sharePpm: percent(40) },
    ],
    secondPpm: percent(5),
    days: 365,
    inviteeDayMax: usdt(1000),
    inviterDayMax: usdt(10_000),
    closedIn: [],
  }
}

/** Sets the terms of an exchange without any, by a journaled command. */
export async function setFirstReferral(submit: Submit, ask: Ask, mode: 'sandbox' | 'production'): Promise<void> {
  if ((await ask.referralTerms()) !== null) return
  await acceptedAtFirst(submit, { type: 'referral.setTerms', terms: firstReferralTerms(mode) })
}
