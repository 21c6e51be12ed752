import type { Millis } from '@candor/core/money/brand.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { OrderId, UserId } from '@candor/core/protocol/ids.ts'
import type { Ask, OpenOrder, Outcome } from '@candor/core/protocol/port.ts'
import { givenBy, type Listed, mayOpen } from '@candor/core/risk/opening.ts'
import { origins } from '../../origins.ts'
import { Refused } from '../../refused.ts'
import type { Listing } from '../listing.ts'

export type RestParts = {
  readonly ask: Pick<Ask, 'standing' | 'convertStanding' | 'openOrders'>
  readonly listing: Pick<Listing, 'assetNamed' | 'market'>
  readonly now: () => Millis
}
type Amend = Extract<Command, { readonly type: 'spot.amend' | 'perp.amend' }>

/**
 * Refuses what a member opens for a firm during their own break: the firm's accounts are not resting, but the person is. The core knows
 * the account alone, so this is decided before it.
 *
 * throws  Refused RESTING with the seconds until the break ends
 */
export async function requireMemberAwake(parts: RestParts, command: Command): Promise<void> {
  const member = origins.getStore()?.memberUser
  if (member === undefined || !mayOpen(command, listed(parts))) return
  const { restUntil } = await parts.ask.standing(member as UserId)
  const left = restUntil - parts.now()
  if (left > 0 && (await opens(parts, command))) throw new Refused('RESTING', { retryAfter: Math.ceil(left / 1_000) })
}

/** The same for a program whose key such a member made: the refusal that the core would give, or undefined. */
export async function refusalAtRest(parts: RestParts, user: UserId, command: Command): Promise<Outcome | undefined> {
  if (!(await opens(parts, command))) return undefined
  return { seq: 0, at: parts.now(), user, order: 0 as OrderId, refusal: 'RESTING', isRepeat: false, events: [] }
}

/**
 * Whether a command opens risk as things stand. A change of an order is looked at with its order, which may meanwhile be filled in part,
 * but never get more quantity from a member who rests. Orders of margin accounts count as opening: what reduces them depends on all others.
 */
async function opens(parts: RestParts, command: Command): Promise<boolean> {
  const { ask } = parts
  const known = listed(parts)
  if (!mayOpen(command, known)) return false
  if (command.type === 'convert.accept') {
    const { quote } = await ask.convertStanding(command.user)
    return quote?.quote !== command.quote || quote.from === known.usdt
  }
  if (command.type !== 'spot.amend' && command.type !== 'perp.amend') return true
  const { user, market, order, orderClientId } = command
  const open = await ask.openOrders(user, market)
  const found = open.find((one) => (order === 0 ? one.clientId === orderClientId : one.order === order))
  return found === undefined || grows(found, command, known)
}

/** As the core decides for a user who rests. */
function grows({ side, price, lots, perp, margin, market }: OpenOrder, amend: Amend, { usdt, pairOf }: Listed): boolean {
  const pair = pairOf(market)
  const isReducing =
    perp !== undefined ? perp.isReduceOnly || perp.isClosing : margin === undefined && pair && givenBy(pair, side === 'sell') !== usdt
  if (isReducing) return false
  const isSamePrice = (amend.price ?? price) === price && !('priceMatch' in amend) && !('triggerPrice' in amend)
  return !(isSamePrice && amend.lots !== undefined && amend.lots < lots)
}

/** A market that is not listed here is not listed in the core either. */
function listed({ listing }: Pick<RestParts, 'listing'>): Listed {
  return { usdt: listing.assetNamed('USDT').id, pairOf: (market) => listing.market(market).market }
}
