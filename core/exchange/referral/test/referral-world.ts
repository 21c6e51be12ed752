import type { UserId } from '../../../protocol/ids.ts'
import type { ReferralPaid } from '../../../protocol/event/referral.ts'
import { given, type Told, type World } from '../../test/world.ts'

export const [usdt, btc] = [1, 2] as const
/** One USDT in units. */
export const one = 1_000_000
export const dayMs = 86_400_000

/** Terms with the defaults of the exchange. */
export const referralTerms = {
  isOpen: true,
  tiers: [
    { volumeMin: 0, sharePpm: 200_000 },
    { volumeMin: 1_000_000 * one, sharePpm: 250_000 },
    { volumeMin: 10_000_000 * one, sharePpm: 300_000 },
    { volumeMin: 50_000_000 * one, sharePpm: 400_000 },
  ],
  secondPpm: 50_000,
  days: 365,
  inviteeDayMax: 1000 * one,
  inviterDayMax: 10_000 * one,
  closedIn: [] as readonly string[],
}

/**
 * A world with open referral, in which ann invited bob and bob invited cid. They and dan, who has no inviter, are certified and have
 * 1,000,000 USDT and 20 BTC each. Both sides of a trade pay 0.1 %.
 */
export function referralWorld(changed: object = {}): ReferralWorld {
  const world = given({})
  const referral = new ReferralWorld(world)
  referral.terms(changed).isAccepted()
  for (const [name, inviter] of [['ann'], ['bob', 'ann'], ['cid', 'bob'], ['dan']] as const) {
    referral.joins(name, inviter)
    world.gives(name, 'USDT', '1000000').gives(name, 'BTC', '20')
  }
  return referral
}

/** Shorthands for referral. */
export class ReferralWorld {
  readonly world: World

  constructor(world: World) {
    this.world = world
  }

  do(command: object): Told {
    return this.world.do(command)
  }

  terms(changed: object): Told {
    return this.do({ type: 'referral.setTerms', terms: { ...referralTerms, ...changed } })
  }

  /** Opens a certified account, by invitation if there is an inviter. */
  joins(name: string, inviter?: string): UserId {
    const referrer = inviter === undefined ? 0 : this.world.user(inviter)
    const { user } = this.do({ type: 'user.open', requestId: '', class: 'retail', referrer }).isAccepted().outcome
    this.world.users.set(name, user)
    this.do({ type: 'user.certify', user, isCertified: true }).isAccepted()
    return user
  }

  /** `maker` sells this many lots of 0.001 BTC at a price to `taker`. */
  trades(maker: string, taker: string, lots = 1000, price = 50_000): Told {
    this.world.sell(maker, price, lots).isAccepted()
    return this.world.buy(taker, price, lots).isAccepted().traded(`${price}×${lots}`)
  }

  /** What a command paid, as `inviter < invitee, level: amount of an asset`. */
  paid(told: Told): readonly string[] {
    const nameOf = (user: UserId): string => [...this.world.users].find(([, known]) => known === user)![0]
    return told
      .of('referral.paid')
      .map(
        ({ inviter, invitee, level, asset, amount }: ReferralPaid) =>
          `${nameOf(inviter)} < ${nameOf(invitee)}, ${level}: ${amount} of ${asset === usdt ? 'USDT' : 'BTC'}`,
      )
  }

  wait(ms: number): this {
    this.world.atMs += ms
    return this
  }

  /** Available units of the exchange's fees. */
  fees(asset: number): number {
    const found = this.world.exchange
      .accounts()
      .find(({ account }) => 'system' in account && account.system === 'fees' && account.asset === asset)
    return found?.available ?? 0
  }
}
