import type { Ticks } from '../money/brand.ts'
import type { OrderFlags } from '../protocol/codec/layout.ts'
import type { OrderSlot } from '../book/order-fields.ts'
import {
  C,
  CHAINED,
  EXECUTED,
  EXECUTED_LOTS,
  EXTRA,
  F,
  FLAGS,
  I,
  ID,
  LEFT,
  MARKET,
  OWNER,
  PENDING,
  PLACED_AT,
  PRICE,
  UPDATED_AT,
} from '../book/order-fields.ts'
import { orderShape, readExits, readStrategy, selfTradeOf, triggerOf } from '../protocol/codec/fields.ts'
import { HAS_EXITS, HAS_TERMS } from '../protocol/codec/layout.ts'
import { readEnd } from '../protocol/codec/perp/order.ts'
import { clientIdSlots, unpackText } from '../protocol/codec/text.ts'
import type { OpenOrder } from '../protocol/port.ts'
import type { OrderId } from '../protocol/ids.ts'
import type { State } from './state/state.ts'

const waiting = CHAINED | PENDING

/** An order of the core in the form that the API shows. */
export function viewOrder(x: State, slot: OrderSlot): OpenOrder {
  const { f, i, c, extras } = x.orders
  const at = slot * F
  const flags = i[slot * I + FLAGS] as OrderFlags
  const extra = extras.get(i[slot * I + EXTRA]!)
  const trigger = triggerOf(flags, extra?.trigger ?? (0 as Ticks), (extra?.activation ?? 0) as Ticks)
  const venue = x.venues[f[at + MARKET]!]!
  const shape = orderShape(flags)
  const exits = (flags & HAS_EXITS) === 0 ? undefined : x.perp.exits.get(f[at + ID]!)
  const terms = (flags & HAS_TERMS) === 0 ? undefined : x.perp.deadlines.termsOf(f[at + ID] as OrderId)
  const strategy = readStrategy(extra?.strategy ?? 0, extra?.strategyType ?? 0)
  const prevented = extra?.prevented ?? 0
  const preventedMatch = extra?.preventedMatch ?? 0
  const algo = x.algo.of(f[at + ID] as OrderId)
  const isBySpend = (extra?.spend ?? 0) > 0
  return {
    order: f[at + ID]!,
    list: extra?.list ?? 0,
    user: i[slot * I + OWNER]!,
    clientId: unpackText(c, slot * C, clientIdSlots),
    market: venue.id,
    ...shape,
    ...(shape.perp === undefined
      ? {}
      : {
          perp: {
            ...shape.perp,
            ...(exits === undefined ? {} : { exits: readExits(exits.takeProfit, exits.stopLoss, exits.bits) }),
            ...(terms === undefined ? {} : readEnd(terms.goodTill, terms.match)),
          },
        }),
    status: (flags & PENDING) !== 0 ? 'pending' : 'open',
    ...((flags & waiting) === waiting && shape.perp === undefined ? { isWaiting: true } : {}),
    price: f[at + PRICE]!,
    lots: isBySpend ? 0 : f[at + LEFT]! + f[at + EXECUTED_LOTS]! + prevented,
    spend: extra?.spend ?? 0,
    executedLots: f[at + EXECUTED_LOTS]!,
    executedQuote: f[at + EXECUTED]! * venue.quotePerTickLot,
    ...(prevented === 0 ? {} : { preventedLots: prevented }),
    ...(preventedMatch === 0 ? {} : { preventedMatch }),
    display: extra?.display ?? 0,
    ...(trigger === undefined ? {} : { trigger }),
    ...selfTradeOf(flags),
    ...(strategy === undefined ? {} : { strategy }),
    ...(algo === 0 ? {} : { algo }),
    ...(extra === undefined || extra.wokeAtMs === 0 ? {} : { triggeredAt: extra.wokeAtMs }),
    placedAt: f[at + PLACED_AT]!,
    updatedAt: c[slot * C + UPDATED_AT]!,
  } as OpenOrder
}
