import type { Loose } from '../scripts.ts'
import { twist } from './numbers.ts'
import type { Scene } from './orders.ts'
import { users } from './plans.ts'

/** Low tiers and caps, so that runs reach them. */
export const referralTerms = {
  ...{ isOpen: true, secondPpm: 50_000, days: 365, inviteeDayMax: 40_000_000, inviterDayMax: 100_000_000 },
  tiers: [
    { volumeMin: 0, sharePpm: 200_000 },
    { volumeMin: 5_000_000_000, sharePpm: 250_000 },
    { volumeMin: 500_000_000_000, sharePpm: 400_000 },
  ],
  closedIn: ['HK'],
}

/** Number of the user who invited this one: chains of three, and some who nobody invited. */
export function inviterOf(user: number): number {
  return user % 4 === 1 ? 0 : user - 1
}

/** New terms, or the end of a bond. */
export function referralCommand(scene: Scene): Loose {
  const { random } = scene
  if (random.chance(0.06))
    return { type: 'referral.sever', user: random.between(1, users.length + 2), reason: random.pick(['document', 'device']) }
  const changed = random.pick([
    {},
    {},
    { isOpen: false },
    { days: random.between(0, 2) },
    { secondPpm: random.between(0, 110_000) },
    { tiers: referralTerms.tiers.slice(0, random.between(0, 3)) },
    { inviteeDayMax: 2 ** 48, inviterDayMax: 2 ** 48 },
    { inviteeDayMax: random.between(0, 3_000_000) },
    { inviterDayMax: random.between(0, 3_000_000) },
    { closedIn: random.pick([['DE', 'HK'], [], ['HK', 'DE']]) },
  ])
  const terms = { ...referralTerms, ...changed }
  return { type: 'referral.setTerms', terms: random.chance(0.2) ? twist(random, terms) : terms }
}
