import type { MarginEvent } from '@candor/core/protocol/event/margin.ts'
import type { OptionEvent } from '@candor/core/protocol/event/option.ts'
import type { PerpEvent } from '@candor/core/protocol/event/perp.ts'
import { own, type Tellings } from './told.ts'
import { given, orderOf } from './words.ts'

export const perpTellings: Tellings<PerpEvent> = {
  'perp.marked': 'public',
  'perp.settings': own(({ isHedge, leverage, market, mode }, words) => ({
    ...{ isHedge, leverage: leverage || undefined, market: words.market(market), mode: market === 0 ? undefined : mode },
  })),
  'perp.position': own((event, words) => {
    const { leverage, lots, market, mode, openedAt, position, side } = event
    return {
      cost: words.quoteSum(event.cost, market),
      fees: words.quoteSum(event.fees, market),
      funding: words.quoteSum(event.funding, market),
      leverage,
      liquidationPrice: words.price(event.liquidationPrice, market),
      margin: words.quoteSum(event.margin, market),
      market: words.market(market),
      mode,
      openedAt,
      position,
      quantity: words.quantity(lots, market),
      realised: words.quoteSum(event.realised, market),
      side,
    }
  }),
  'perp.closed': own((event, words) => {
    const { cause, closedAt, leverage, market, mode, openedAt, position, side } = event
    return {
      cause,
      closedAt,
      closedQuantity: words.quantity(event.closedLots, market),
      closedValue: words.quoteSum(event.closedValue, market),
      fees: words.quoteSum(event.fees, market),
      funding: words.quoteSum(event.funding, market),
      leverage,
      market: words.market(market),
      mode,
      openedAt,
      openedQuantity: words.quantity(event.openedLots, market),
      openedValue: words.quoteSum(event.openedValue, market),
      position,
      realised: words.quoteSum(event.realised, market),
      side,
    }
  }),
  'perp.fundingDue': 'public',
  'perp.funded': 'public',
  'perp.fundingPaid': own(({ amount, lots, market, position, rate }, words) => ({
    amount: words.quoteSum(amount, market),
    market: words.market(market),
    position,
    quantity: words.quantity(lots, market),
    rate: words.funding(rate),
  })),
  'perp.liquidated': own((event, words) => {
    const { market, order, position } = event
    return {
      asked: words.quantity(event.askedLots, market),
      bankruptcyPrice: words.price(event.bankruptcyPrice, market),
      closed: words.quantity(event.closedLots, market),
      equity: words.quoteSum(event.equity, market),
      fee: words.quoteSum(event.fee, market),
      index: words.index(event.index),
      insured: words.quoteSum(event.insured, market),
      maintenance: words.quoteSum(event.maintenance, market),
      maintenanceRate: words.share(event.maintenancePpm),
      mark: words.price(event.mark, market),
      market: words.market(market),
      order: orderOf(order),
      position,
    }
  }),
  // The position of `user` is not that of the user who went bankrupt.
  'perp.deleveraged': [
    {
      to: ({ user }) => user,
      facts: ({ lots, market, position, price }, words) => ({
        ...{ isBankrupt: false, market: words.market(market), position, price: words.price(price, market) },
        quantity: words.quantity(lots, market),
      }),
    },
    {
      to: ({ bankruptUser }) => bankruptUser,
      facts: ({ lots, market, price }, words) => ({
        ...{ isBankrupt: true, market: words.market(market), price: words.price(price, market) },
        quantity: words.quantity(lots, market),
      }),
    },
  ],
  'perp.takenOver': own(({ lots, market, position, price }, words) => ({
    ...{ market: words.market(market), position, price: words.price(price, market), quantity: words.quantity(lots, market) },
  })),
  'perp.inventory': 'house',
  'perp.level': own(({ market, position, state }, words) => ({ market: words.market(market), position: orderOf(position), state })),
  'perp.phase': 'public',
  'perp.tierChanged': own(({ tier }) => ({ tier })),
}

export const marginTellings: Tellings<MarginEvent> = {
  'margin.terms': 'public',
  'margin.loan': own(({ asset, cause, delta, interest, market, principal }, words) => ({
    asset: words.asset(asset),
    cause,
    change: words.sum(delta, asset),
    interest: words.sum(interest, asset),
    market: words.market(market),
    principal: words.sum(principal, asset),
  })),
  'margin.level': own(({ levelPpm, market, state }, words) => ({ level: words.share(levelPpm), market: words.market(market), state })),
  'margin.liquidated': own(({ assets, debt, fee, insured, levelPpm, liquidationPpm, market, order }, words) => ({
    assets: words.usdt(assets),
    debt: words.usdt(debt),
    fee: words.usdt(fee),
    insured: words.usdt(insured),
    level: words.share(levelPpm),
    liquidationLevel: words.share(liquidationPpm),
    market: words.market(market),
    order: orderOf(order),
  })),
  'lend.pool': 'public',
  'lend.claim': own(({ asset, claim, earned, queued }, words) => ({
    ...{ asset: words.asset(asset), claim: words.sum(claim, asset), earned: words.sum(earned, asset), queued: words.sum(queued, asset) },
  })),
}

export const optionTellings: Tellings<OptionEvent> = {
  'option.terms': 'public',
  'option.opened': own((event, words) => {
    const { acceptedAt, clientId, direction, expiresAt, gapMaxMs, guardPpm, market, order, profit, profitPpm } = event
    return {
      acceptedAt,
      clientId: given(clientId),
      direction,
      expiresAt,
      gapMaxMs,
      guard: guardPpm === 0 ? undefined : words.share(guardPpm),
      market: words.market(market),
      order,
      profit: words.quoteSum(profit, market),
      profitRate: words.share(profitPpm),
      reference: words.index(event.reference),
      stake: words.quoteSum(event.stake, market),
      strikeFrom: event.strikeFrom,
      windowMs: event.windowMs,
    }
  }),
  'option.struck': own(({ at, order, strike, tick }, words) => ({ at, order, strike: words.index(strike), tick })),
  'option.settled': own(({ at, market, order, payout, price, reason, result }, words) => ({
    at,
    market: words.market(market),
    order,
    payout: words.quoteSum(payout, market),
    price: words.index(price),
    reason: reason === 'none' ? undefined : reason,
    result,
  })),
  'option.admitted': own(() => ({})),
  'option.limits': own(({ coolOffUntil, lossMax, nextAt, nextLossMax }, words) => ({
    ...{ coolOffUntil, lossMax: words.usdt(lossMax), nextAt, nextLossMax: words.usdt(nextLossMax) },
  })),
  'option.house': 'house',
  'tape.extended': 'public',
}
