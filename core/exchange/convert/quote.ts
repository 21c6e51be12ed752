import type { IndexPrice, Millis, Units } from '../../money/brand.ts'
import { decodeCommand } from '../../protocol/codec/command.ts'
import { writeQuoted } from '../../protocol/codec/convert/write.ts'
import type { ConvertTerms, QuoteConversion } from '../../protocol/command/convert.ts'
import type { AssetId, OrderId, QuoteNumber } from '../../protocol/ids.ts'
import { movementsFrom } from '../../protocol/ids.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import { converted, giveFor, type Priced, usdtPrice, worth } from '../../risk/convert.ts'
import type { Handler } from '../state/handler.ts'
import type { State } from '../state/state.ts'
import { executable, pairOf } from './prices.ts'
import { isWithinShelves } from './shelves.ts'

/**
 * `convert.quote`: a firm quote, whose number is the command's position in the journal. It holds nothing, and replaces the user's open
 * one.
 */
export const quoteConversion: Handler = (x, data, start) => {
  const { convert } = x
  const command = decodeCommand(data, start).command as QuoteConversion
  const { user, from, to } = command
  if (x.isFrozen(user)) return 'USER_FROZEN'
  if (x.isResting(user) && from === x.usdt) return 'RESTING'
  const { terms } = convert
  if (!x.isAsset(from) || !x.isAsset(to) || from === to) return 'ASSET_UNKNOWN'
  if (command.amount <= 0) return 'AMOUNT_NOT_POSITIVE'
  if (terms?.isOpen !== true) return 'PRODUCT_CLOSED'
  if (convert.shelf(from) === undefined || convert.shelf(to) === undefined) return 'ASSET_UNKNOWN'
  const worked = workOut(x, command, terms)
  if (typeof worked === 'string') return worked
  const { taken: _taken, handed: _handed, ...sums } = worked
  const refused = checkSize(x, command, terms, sums)
  if (refused !== undefined) return refused

  const { validMs, delayMs, waitMs, driftPpm } = terms
  x.order = (movementsFrom + x.seq) as OrderId
  const facts = { quote: x.seq as QuoteNumber, user, from, to, ...sums }
  const quote = { ...facts, expiresAt: (x.atMs + validMs) as Millis, delayMs, waitMs, driftPpm }
  convert.forget(x.atMs)
  convert.addQuote(quote)
  writeQuoted(x.events, quote)
  return undefined
}

/** Both sums of a quote, their value, and the good index prices. */
type Sums = {
  readonly give: Units
  readonly get: Units
  readonly value: Units
  readonly fromPrice: IndexPrice
  readonly toPrice: IndexPrice
}

/** How a quote is worked out. `taken`, `handed`: prices at which the inventory takes the one asset and hands out the other. */
export type Workings = Sums & { readonly taken: IndexPrice; readonly handed: IndexPrice }

/**
 * Both sums of a quote and their value. The prices come from the depth that the sum needs in both books. Rounded in favour of the
 * inventory, by less than one unit.
 */
export function workOut(x: State, { from, to, amount, isGet }: QuoteConversion, { spreadPpm }: ConvertTerms): Workings | Refusal {
  const index = pairOf(x, from, to)
  if (index === undefined) return 'NO_INDEX_PRICE'
  const [source, target] = [pricedAt(x, from, index.from), pricedAt(x, to, index.to)]
  const [given, got] = [isGet ? worth(amount, target, source) : amount, isGet ? amount : worth(amount, source, target)]
  if (given === undefined || got === undefined) return 'AMOUNT_TOO_LARGE'
  const fromPrice = executable(x, from, given, false)
  if (typeof fromPrice === 'string') return fromPrice
  const toPrice = executable(x, to, got, true)
  if (typeof toPrice === 'string') return toPrice
  const [taken, handed] = [pricedAt(x, from, fromPrice), pricedAt(x, to, toPrice)]
  const give = isGet ? giveFor(amount, taken, handed, spreadPpm) : amount
  const get = isGet ? amount : converted(amount, taken, handed, spreadPpm)
  if (give === undefined || get === undefined) return 'AMOUNT_TOO_LARGE'
  const value = worth(give, source, pricedAt(x, x.usdt, usdtPrice))
  if (value === undefined) return 'AMOUNT_TOO_LARGE'
  return { give, get, value, fromPrice: index.from, toPrice: index.to, taken: fromPrice, handed: toPrice }
}

/** Checks the size against the balance, the limits and the inventory. The acceptance checks all of it again. */
function checkSize(x: State, { user, from, to }: QuoteConversion, { min, max, userMax }: ConvertTerms, sums: Sums): Refusal | undefined {
  const { give, get, value } = sums
  if (x.ledger.available(x.ledger.findSpot(user, from)) < give) return 'INSUFFICIENT_BALANCE'
  if (value > max) return 'AMOUNT_TOO_LARGE'
  if (x.desks.spot.isOverTurnover(x, user, value)) return 'TURNOVER_LIMIT'
  if (value < min || get <= 0) return 'AMOUNT_TOO_SMALL'
  if (x.convert.convertedOn(x.firm.customerOf(user), x.atMs) + value > userMax) return 'CONVERT_LIMIT'
  return isWithinShelves(x, { from, to, give, get }) ? undefined : 'INVENTORY_LIMIT'
}

function pricedAt(x: State, asset: AssetId, price: IndexPrice): Priced {
  return { price, scale: x.assets[asset - 1]!.scale }
}
