/** What a subscription would bring if nobody else subscribed any more. Everything in whole coins, exact to eighteen digits. */
import type { Decimal } from '@candor/core/money/brand.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import type { WirePresale } from '@candor/core/protocol/wire/presale.ts'

export type Estimate = {
  readonly tokens: Decimal
  readonly cost: Decimal
  readonly refund: Decimal
  /** What decided the number of tokens: the sum itself, the purchase limit, or the demand, by which everybody gets a part. */
  readonly by: 'sum' | 'limit' | 'demand'
}

type Terms = Pick<WirePresale, 'price' | 'supply' | 'purchaseLimit' | 'subscribed'>

const digits = 18
const one = 10n ** BigInt(digits)

/**
 * The tokens of a customer with the sum `own + more` among all present subscriptions:
 *
 *   the least of  sum ÷ price,  purchase limit,  supply × sum ÷ (subscribed + more)
 *
 * Rounded down. Customers at their purchase limit leave tokens to the others, so at the same demand it may be more.
 *
 * own   already subscribed by this customer, and part of `subscribed`
 */
export function estimateOf({ price, supply, purchaseLimit, subscribed }: Terms, own: Decimal, more: Decimal): Estimate | undefined {
  const cost = exact(price)
  const sum = exact(own) + exact(more)
  if (cost <= 0n || sum <= 0n) return undefined
  const wanted = (sum * one) / cost
  const share = (exact(supply) * sum) / (exact(subscribed) + exact(more))
  const limit = exact(purchaseLimit)
  const tokens = [limit, share].reduce((least, next) => (next < least ? next : least), wanted)
  const by = tokens === wanted ? 'sum' : tokens === limit ? 'limit' : 'demand'
  // What is wanted costs the whole sum, however its tokens were cut off.
  const paid = by === 'sum' ? sum : ceil(tokens * cost, one)
  return { tokens: formatUnits(tokens, digits), cost: formatUnits(paid, digits), refund: formatUnits(sum - paid, digits), by }
}

/** What so many tokens cost. */
export function costOf(tokens: Decimal, price: Decimal): Decimal {
  return formatUnits(ceil(exact(tokens) * exact(price), one), digits)
}

function exact(text: Decimal): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole) * one + BigInt(fraction.slice(0, digits).padEnd(digits, '0'))
}

function ceil(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by
}
