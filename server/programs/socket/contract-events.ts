import type { Lots, Units } from '@candor/core/money/brand.ts'
import type { Event, OutcomeEvent, Traded } from '@candor/core/protocol/event/index.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Ask } from '@candor/core/protocol/port.ts'
import { amountText, priceText, quantityText } from '../../live/listing.ts'
import type { MarketData } from '../../live/data.ts'
import type { OrderState } from '../../live/orders.ts'
import { programName } from '../../live/program-names.ts'
import { algoOrder, contractOrder, isAlgo, isAwake } from '../perp/order-view.ts'
import { ContractBook } from './contract-book.ts'
import { isLastFill } from './spot-events.ts'
import type { EventMaker } from './user-data.ts'

type Execution = 'NEW' | 'CANCELED' | 'AMENDMENT' | 'TRADE' | 'EXPIRED' | 'CALCULATED'
type Side = { readonly trade: Traded; readonly isMaker: boolean }

/**
 * Messages about a contract account. For each command, order reports come first, in the order of events, then what changed in the
 * account, then settings and warnings.
 */
export class ContractEvents implements EventMaker {
  readonly #data: MarketData
  readonly #book: ContractBook

  constructor(data: MarketData, user: UserId) {
    this.#data = data
    this.#book = new ContractBook(data, user)
  }

  /** Resolves when the account's state is known. */
  begin(ask: Ask): Promise<void> {
    return this.#book.begin(ask)
  }

  order(state: OrderState, event: Event, index: number, events: readonly Event[], outcome: OutcomeEvent): readonly object[] {
    if (!this.#book.isReady) return []
    const algo = isAlgo(state) ? [this.#algo(state, outcome)] : []
    const report = (execution: Execution, side?: Side, isFilled = false): object =>
      this.#report(state, execution, outcome, side, isFilled, side === undefined ? '0' : this.#book.profitOf(side.trade, state))
    switch (event.type) {
      case 'order.accepted':
        return isAwake(state) ? [report('NEW')] : algo
      case 'order.triggered':
        return [...algo, report('NEW')]
      case 'order.amended':
        return isAwake(state) ? [report('AMENDMENT')] : algo
      case 'traded': {
        const isLast = isLastFill(events, index, state.order)
        const fills = [event.makerOrder, event.takerOrder]
          .filter((order) => order === state.order)
          .map((order) => report('TRADE', { trade: event, isMaker: order === event.makerOrder }, isLast))
        return isLast && isAlgo(state) ? [...fills, this.#algo({ ...state, closeReason: 'filled' }, outcome)] : fills
      }
      case 'order.closed':
        if (event.reason === 'filled') return []
        if (!isAwake(state)) return algo
        return [report(event.reason === 'cancelled' || event.reason === 'countdown' ? 'CANCELED' : 'EXPIRED'), ...algo]
      default:
        return []
    }
  }

  command(events: readonly Event[], outcome: OutcomeEvent): readonly object[] {
    return this.#book.command(events, outcome)
  }

  #report(state: OrderState, x: Execution, { at }: OutcomeEvent, side: Side | undefined, isFilled: boolean, profit: string): object {
    const market = this.#data.listing.market(state.market)
    const order = contractOrder(market, state)
    const fee = side ? (side.isMaker ? side.trade.makerFee : side.trade.takerFee) : (0 as Units)
    return {
      e: 'ORDER_TRADE_UPDATE',
      E: at,
      T: at,
      o: {
        s: order.symbol,
        c: order.clientOrderId,
        S: order.side,
        o: order.type,
        f: order.timeInForce,
        q: order.origQty,
        p: order.price,
        ap: order.avgPrice,
        sp: order.stopPrice,
        x: state.perp?.isLiquidation && x === 'TRADE' ? 'CALCULATED' : x,
        X: isFilled ? 'FILLED' : order.status,
        i: order.orderId,
        l: quantityText(market, side ? side.trade.lots : (0 as Lots)),
        z: order.executedQty,
        L: priceText(market, side ? side.trade.price : 0),
        ...(side ? { n: amountText(market.quote, fee), N: market.quote.symbol } : {}),
        T: at,
        t: side ? side.trade.trade : 0,
        b: '0',
        a: '0',
        m: side?.isMaker ?? false,
        R: order.reduceOnly,
        wt: order.workingType,
        ot: order.origType,
        ps: order.positionSide,
        cp: order.closePosition,
        ...(order.priceRate === undefined ? {} : { AP: order.activatePrice, cr: order.priceRate }),
        pP: order.priceProtect,
        si: 0,
        ss: 0,
        rp: profit,
        V: order.selfTradePreventionMode,
        pm: order.priceMatch,
        gtd: order.goodTillDate,
      },
    }
  }

  #algo(state: OrderState, { at }: OutcomeEvent): object {
    const market = this.#data.listing.market(state.market)
    const order = algoOrder(market, state)
    return {
      e: 'ALGO_UPDATE',
      E: at,
      T: at,
      o: {
        caid: order.clientAlgoId,
        aid: order.algoId,
        at: order.algoType,
        o: order.orderType,
        s: programName(market),
        S: order.side,
        ps: order.positionSide,
        f: order.timeInForce,
        q: order.quantity,
        X: order.algoStatus,
        ai: order.actualOrderId,
        ap: order.actualPrice,
        aq: quantityText(market, state.executedLots),
        act: order.actualOrderId === '' ? '' : state.orderType === 'limit' ? 'LIMIT' : 'MARKET',
        tp: order.triggerPrice,
        p: order.price,
        V: order.selfTradePreventionMode,
        wt: order.workingType,
        pm: order.priceMatch,
        cp: order.closePosition,
        pP: order.priceProtect,
        R: order.reduceOnly,
        tt: order.triggerTime,
        gtd: order.goodTillDate,
        rm: state.closeReason !== undefined && order.algoStatus === 'EXPIRED' ? state.closeReason : '',
      },
    }
  }
}
