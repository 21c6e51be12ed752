import { randomUUID } from 'node:crypto'
import type { Lots, Millis, Ppm, Ticks } from '@candor/core/money/brand.ts'
import { parseLots, parseTicks } from '@candor/core/money/price.ts'
import { fractionDigits, parseUnits } from '@candor/core/money/units.ts'
import { goodForMinMs, goodTillMax, type PlacePerp, type PositionSide, type PriceMatch } from '@candor/core/protocol/command/perp.ts'
import type { SelfTradeMode, Trigger } from '@candor/core/protocol/command/spot.ts'
import { clientIdPattern, type UserId } from '@candor/core/protocol/ids.ts'
import type { ListedMarket } from '../../live/listing.ts'
import { ApiError, missing, tooPrecise } from '../errors.ts'
import * as param from '../params.ts'
import { dateSaying, notRequired, notSupported } from './errors.ts'

export const contractTypes = [
  'LIMIT',
  'MARKET',
  'STOP',
  'STOP_MARKET',
  'TAKE_PROFIT',
  'TAKE_PROFIT_MARKET',
  'TRAILING_STOP_MARKET',
] as const
const timesInForce = ['GTC', 'IOC', 'FOK', 'GTX', 'GTD'] as const
const selfTradeModes = { EXPIRE_TAKER: 'expire-taker', EXPIRE_MAKER: 'expire-maker', EXPIRE_BOTH: 'expire-both', NONE: 'none' } as const
/** Where an order takes its price from. */
export const priceMatches = {
  ...{ OPPONENT: 'opponent', OPPONENT_5: 'opponent-5', OPPONENT_10: 'opponent-10', OPPONENT_20: 'opponent-20' },
  ...{ QUEUE: 'queue', QUEUE_5: 'queue-5', QUEUE_10: 'queue-10', QUEUE_20: 'queue-20' },
} as const satisfies Readonly<Record<string, PriceMatch>>
export const positionSides = { BOTH: 'both', LONG: 'long', SHORT: 'short' } as const
const percentDigits = 4

/** A word of a list; any other gets an error of its own. */
function wordOr<const W extends string>(words: readonly W[], wrong: () => ApiError): param.Param<W | undefined> {
  const known = param.word(words)
  const read = (text: string): W => {
    if (!(words as readonly string[]).includes(text)) throw wrong()
    return text as W
  }
  return { ...known, read }
}

const keysOf = <T extends object>(of: T) => Object.keys(of) as (keyof T & string)[]
const boolean = param.word(['true', 'false', 'TRUE', 'FALSE', 'True', 'False'])
/** `true` or `false`, in upper or lower case. */
export const flag: param.Param<boolean | undefined> = {
  ...boolean,
  fallback: undefined,
  read: (text, name) => (boolean.read(text, name) as string).toLowerCase() === 'true',
}
export const decimal = param.text(/^[0-9]{1,20}(\.[0-9]{1,20})?$/)
export const clientId = param.text(clientIdPattern)
export const priceMatch = wordOr(['NONE', ...keysOf(priceMatches)], () => new ApiError(-5037, 'Invalid price match.'))
export const side = wordOr(['BUY', 'SELL'], () => new ApiError(-1117, 'Invalid side.'))
export const positionSide = wordOr(keysOf(positionSides), () => new ApiError(-4060, 'Invalid position side.'))

const shared = {
  symbol: param.mandatory(param.symbol),
  side: param.mandatory(side),
  type: param.mandatory(wordOr(contractTypes, () => new ApiError(-1116, 'Invalid orderType.'))),
  positionSide: param.withDefault(positionSide, 'BOTH'),
  timeInForce: wordOr(timesInForce, () => new ApiError(-1115, 'Invalid timeInForce.')),
  quantity: decimal,
  price: decimal,
  callbackRate: decimal,
  reduceOnly: flag,
  closePosition: flag,
  workingType: param.word(['CONTRACT_PRICE', 'MARK_PRICE']),
  priceProtect: flag,
  priceMatch,
  newOrderRespType: param.word(['ACK', 'RESULT', 'FULL']),
  selfTradePreventionMode: param.word(keysOf(selfTradeModes)),
  goodTillDate: param.millis,
}
export const orderParams = { ...shared, stopPrice: decimal, activationPrice: decimal, newClientOrderId: clientId }
export const algoParams = {
  algoType: param.mandatory(param.word(['CONDITIONAL'])),
  ...shared,
  triggerPrice: decimal,
  activatePrice: decimal,
  clientAlgoId: clientId,
}
export type OrderValues = param.Values<typeof orderParams>
type AlgoValues = param.Values<typeof algoParams>

/** An order from the parameters of any path; `triggerName` and `activationName` are the names that this path has for them. */
export type Asked = Omit<OrderValues, 'stopPrice' | 'activationPrice' | 'newClientOrderId'> & {
  readonly trigger: string | undefined
  readonly activation: string | undefined
  readonly clientId: string | undefined
  readonly triggerName: string
  readonly activationName: string
}

export const askedOrder = (values: OrderValues): Asked => ({
  ...values,
  ...{ trigger: values.stopPrice, activation: values.activationPrice, clientId: values.newClientOrderId },
  ...{ triggerName: 'stopPrice', activationName: 'activationPrice' },
})

/** A conditional order from its parameters. throws  ApiError -1116 for an order without a trigger */
export function askedAlgo(values: AlgoValues): Asked {
  if (values.type === 'LIMIT' || values.type === 'MARKET') throw new ApiError(-1116, 'Invalid orderType.')
  return {
    ...values,
    ...{ trigger: values.triggerPrice, activation: values.activatePrice, clientId: values.clientAlgoId },
    ...{ triggerName: 'triggerPrice', activationName: 'activatePrice' },
  }
}

/** A fresh id for a request that came without one: it is different each time. */
export const freshId = (): string => `x-${randomUUID().replaceAll('-', '')}`

/**
 * A program's order as a command for the core. throws  ApiError with the parameter that is missing, not allowed, or not valid for
 * the market
 */
export function placeCommand(market: ListedMarket, user: UserId, asked: Asked): PlacePerp {
  const { type } = asked
  checkParts(asked)
  const isLimit = type === 'LIMIT' || type === 'STOP' || type === 'TAKE_PROFIT'
  const isClosing = asked.closePosition === true
  const command: { -readonly [Name in keyof PlacePerp]: PlacePerp[Name] } = {
    type: 'perp.place',
    user,
    clientId: asked.clientId ?? freshId(),
    market: market.market.id,
    side: asked.side === 'BUY' ? 'buy' : 'sell',
    position: positionSides[asked.positionSide] satisfies PositionSide,
    orderType: isLimit ? 'limit' : 'market',
    timeInForce: !isLimit ? 'IOC' : asked.timeInForce === 'IOC' || asked.timeInForce === 'FOK' ? asked.timeInForce : 'GTC',
    isPostOnly: isLimit && asked.timeInForce === 'GTX',
    isReduceOnly: asked.reduceOnly ?? false,
    isClosing,
    triggerBy: asked.workingType === 'MARK_PRICE' ? 'mark' : 'last',
    selfTrade: selfTradeModes[asked.selfTradePreventionMode ?? 'EXPIRE_TAKER'] satisfies SelfTradeMode,
  }
  const match = matchOf(asked.priceMatch)
  if (match !== undefined) command.priceMatch = match
  else if (isLimit) command.price = priceOf(market, asked.price as string, 'price')
  if (isLimit && asked.timeInForce === 'GTD') command.goodTill = wholeSeconds(asked.goodTillDate as number)
  if (!isClosing) command.lots = lotsOf(market, asked.quantity as string)
  const trigger = triggerOf(market, asked)
  if (trigger) command.trigger = trigger
  return command
}

/** Undefined for an order with a price of its own. */
export function matchOf(word: OrderValues['priceMatch']): PriceMatch | undefined {
  return word === undefined || word === 'NONE' ? undefined : priceMatches[word]
}

/** A date counts in whole seconds, as clients expect. */
const wholeSeconds = (date: number): Millis => (date - (date % 1000)) as Millis

/** The core checks the date again. throws  ApiError -5040 */
export function checkDate({ goodTill }: PlacePerp, now: number): void {
  if (goodTill !== undefined && (goodTill <= now + goodForMinMs || goodTill >= goodTillMax)) throw new ApiError(...dateSaying)
}

/** Checks which parameters a type needs and which it may not have. */
function checkParts(asked: Asked): void {
  const { type, triggerName, activationName } = asked
  const isLimit = type === 'LIMIT' || type === 'STOP' || type === 'TAKE_PROFIT'
  const isTrailing = type === 'TRAILING_STOP_MARKET'
  const waits = type !== 'LIMIT' && type !== 'MARKET'
  if (asked.closePosition === true) {
    if (type !== 'STOP_MARKET' && type !== 'TAKE_PROFIT_MARKET') {
      throw new ApiError(-4136, `Target strategy invalid for orderType '${type}',closePosition 'true'`)
    }
    if (asked.quantity !== undefined && Number(asked.quantity) !== 0) {
      throw new ApiError(-4137, 'Quantity must be zero with closePosition equals true')
    }
    if (asked.reduceOnly !== undefined) throw notRequired('reduceOnly')
  } else if (asked.quantity === undefined) throw missing('quantity')
  if (type === 'LIMIT' && asked.timeInForce === undefined) throw missing('timeInForce')
  if (type === 'MARKET' && asked.timeInForce !== undefined) throw notRequired('timeInForce')
  if (!isLimit && asked.timeInForce !== undefined && asked.timeInForce !== 'GTC') throw notRequired('timeInForce')
  const hasMatch = matchOf(asked.priceMatch) !== undefined
  if (hasMatch && !isLimit) throw new ApiError(-5038, 'Price match only supports order type: LIMIT, STOP AND TAKE_PROFIT.')
  if (hasMatch && asked.price !== undefined && Number(asked.price) !== 0) throw notRequired('price')
  if (isLimit && !hasMatch && asked.price === undefined) throw missing('price')
  if (!isLimit && asked.price !== undefined && Number(asked.price) !== 0) throw notRequired('price')
  if (waits && !isTrailing && asked.trigger === undefined) throw missing(triggerName)
  if ((!waits || isTrailing) && asked.trigger !== undefined && Number(asked.trigger) !== 0) throw notRequired(triggerName)
  if (isTrailing && asked.callbackRate === undefined) throw missing('callbackRate')
  if (!isTrailing && asked.callbackRate !== undefined) throw notRequired('callbackRate')
  if (!isTrailing && asked.activation !== undefined && Number(asked.activation) !== 0) throw notRequired(activationName)
  if (asked.positionSide !== 'BOTH' && asked.reduceOnly === true) throw notRequired('reduceOnly')
  if (asked.priceProtect === true) throw notSupported('priceProtect')
  const hasDate = asked.goodTillDate !== undefined && asked.goodTillDate !== 0
  if (asked.timeInForce === 'GTD' && !hasDate) throw missing('goodTillDate')
  if (asked.timeInForce !== 'GTD' && hasDate) throw notRequired('goodTillDate')
}

function triggerOf(market: ListedMarket, asked: Asked): Trigger | undefined {
  const { type, side: sideWord, trigger, activation, callbackRate } = asked
  if (type === 'LIMIT' || type === 'MARKET') return undefined
  const isBuy = sideWord === 'BUY'
  if (type === 'TRAILING_STOP_MARKET') {
    return {
      kind: 'trailing',
      trailPpm: rateOf(callbackRate as string),
      direction: isBuy ? 'rises-to' : 'falls-to',
      ...(activation === undefined || Number(activation) === 0 ? {} : { activation: priceOf(market, activation, asked.activationName) }),
    }
  }
  const isStop = type === 'STOP' || type === 'STOP_MARKET'
  return {
    kind: 'stop',
    price: priceOf(market, trigger as string, asked.triggerName),
    direction: isStop === isBuy ? 'rises-to' : 'falls-to',
  }
}

/** A trailing distance in percent. throws  ApiError -2007 */
function rateOf(text: string): Ppm {
  const ppm = fractionDigits(text) > percentDigits ? undefined : parseUnits(text, percentDigits)
  if (ppm === undefined || ppm <= 0 || ppm >= 1_000_000) throw new ApiError(-2007, 'Invalid callBack rate.')
  return ppm as number as Ppm
}

/** throws  ApiError -1111, -4001, -4002 or -4014 */
export function priceOf({ market }: ListedMarket, text: string, name: string): Ticks {
  const ticks = parseTicks(text, market.tick)
  if (ticks !== undefined) return ticks
  if (hasDigitsBeyond(text, market.tick)) throw tooPrecise(name)
  if (Number(text) === 0) throw new ApiError(-4001, 'Price less than 0.')
  if (Number(text) >= Number.MAX_SAFE_INTEGER * Number(market.tick)) throw new ApiError(-4002, 'Price greater than max price.')
  throw new ApiError(-4014, 'Price not increased by tick size.')
}

/** throws  ApiError -1111, -4003, -4005 or -1013 */
export function lotsOf({ market }: ListedMarket, text: string): Lots {
  const lots = parseLots(text, market.lot)
  if (lots) return lots
  if (hasDigitsBeyond(text, market.lot)) throw tooPrecise('quantity')
  if (Number(text) === 0) throw new ApiError(-4003, 'Quantity less than or equal to zero.')
  if (Number(text) >= Number.MAX_SAFE_INTEGER * Number(market.lot)) throw new ApiError(-4005, 'Quantity greater than max quantity.')
  throw new ApiError(-1013, 'Filter failure: LOT_SIZE')
}

function hasDigitsBeyond(text: string, step: string): boolean {
  return text.includes('.') && fractionDigits(text.replace(/0+$/, '')) > fractionDigits(step)
}
