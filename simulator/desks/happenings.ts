import type { Event } from '@candor/core/protocol/event/index.ts'
import type { LoanChanged } from '@candor/core/protocol/event/margin.ts'
import { accountKey } from '../auditor.ts'

/** Kinds of events and refusals that must occur somewhere in the runs. */
export const wanted = [
  ...['trades', 'futures trades', 'margin trades', 'woken orders', 'repeats', 'refusals'],
  ...['liquidation steps', 'takeovers', 'deleveraged positions', 'insured futures losses', 'profits taken for losses'],
  ...['positions closed by order', 'positions liquidated', 'cross liquidations', 'fundings', 'funding payments', 'hedged positions'],
  ...['exits given', 'exits replaced', 'exits moved', 'stops moved', 'positions near liquidation', 'cross accounts near liquidation'],
  ...['stops closed with their position', 'orders dropped for margin', 'reduce-only orders cut'],
  ...['loans', 'automatic loans', 'automatic repayments', 'interest charges', 'warnings', 'margin liquidations', 'insured margin losses'],
  ...['supplies', 'withdrawals', 'queued withdrawals', 'queue payments', 'transfers', 'frozen users', 'lost certifications'],
  ...['wins', 'losses', 'ties', 'voids by gap', 'voids by sources', 'voids by guard', 'ticks with bad sources', 'house closed'],
  ...[
    'MARGIN_INSUFFICIENT',
    'LEVERAGE_TOO_HIGH',
    'PRICE_BEYOND_BANKRUPTCY',
    'POSITION_LIQUIDATING',
    'REDUCE_ONLY_REJECTED',
    'AMOUNT_BOUND',
  ],
  ...['BORROW_LIMIT', 'POOL_EXHAUSTED', 'MARGIN_LEVEL_LOW', 'ACCOUNT_LIQUIDATING', 'NOT_CERTIFIED', 'USER_FROZEN', 'NO_INDEX_PRICE'],
  ...['EXPOSURE_LIMIT', 'STAKES_OPEN_LIMIT', 'LOSS_LIMIT', 'COOLING_OFF', 'MARKET_HALTED', 'PRODUCT_CLOSED'],
] as const

const causes: Partial<Record<LoanChanged['cause'], string>> = {
  borrow: 'loans',
  'auto-borrow': 'automatic loans',
  'auto-repay': 'automatic repayments',
  interest: 'interest charges',
}
const results = { win: 'wins', lose: 'losses', tie: 'ties', void: 'voids' }
const ends = { order: 'positions closed by order', liquidation: 'positions liquidated', deleverage: 'positions deleveraged' }

/** Counts what happened, by the names above, and all other refusals. */
export class Happenings {
  readonly counts = new Map<string, number>()
  readonly #perpMarkets = new Set<number>()
  readonly #margin = new Set<number>()
  readonly #cross = new Set<number>()

  follow(events: readonly Event[]): void {
    const outcome = events.at(-1)
    let isQueuePaid = false
    for (const event of events) {
      this.#see(event)
      if (event.type === 'entry' && event.reason === 'release' && 'user' in event.account && event.account.kind === 'lend')
        isQueuePaid = true
    }
    if (isQueuePaid && events.some((event) => event.type === 'entry' && event.reason === 'withdraw')) this.#count('queue payments')
    if (outcome?.type !== 'outcome') return
    if (outcome.isRepeat) this.#count('repeats')
    else if (outcome.refusal !== undefined) {
      this.#count('refusals')
      this.#count(outcome.refusal)
    }
  }

  add(others: Happenings): void {
    for (const [name, count] of others.counts) this.#count(name, count)
  }

  /** The names above that never occurred, in their order. */
  missing(): readonly string[] {
    return wanted.filter((name) => !this.counts.has(name))
  }

  /** All counts on a few lines, the wanted ones first. */
  text(): string {
    const others = [...this.counts.keys()].filter((name) => !(wanted as readonly string[]).includes(name)).sort()
    return [...wanted, ...others].map((name) => `${name} ${this.counts.get(name) ?? 0}`).join(' · ')
  }

  #see(event: Event): void {
    switch (event.type) {
      case 'market.listed':
        if (event.market.perp !== undefined) this.#perpMarkets.add(event.market.id)
        return
      case 'order.accepted':
        if (event.margin !== undefined) this.#margin.add(event.order)
        if (event.perp !== undefined && event.list !== 0) this.#count('exits given')
        return
      case 'order.triggered':
        return this.#count('woken orders')
      case 'order.closed':
        if (event.reason === 'position-closed') this.#count('stops closed with their position')
        if (event.reason === 'margin') this.#count('orders dropped for margin')
        if (event.reason === 'reduce-only') this.#count('reduce-only orders cut')
        if (event.reason === 'replaced') this.#count('exits replaced')
        return
      case 'order.amended':
        if (event.triggerPrice !== undefined) this.#count(this.#perpMarkets.has(event.market) ? 'exits moved' : 'stops moved')
        return
      case 'traded':
        if (this.#perpMarkets.has(event.market)) return this.#count('futures trades')
        return this.#count(this.#margin.has(event.takerOrder) || this.#margin.has(event.makerOrder) ? 'margin trades' : 'trades')
      case 'perp.position':
        if (event.mode === 'cross') this.#cross.add(event.position)
        if (event.side !== 'both') this.#count('hedged positions')
        return
      case 'perp.closed':
        return this.#count(ends[event.cause])
      case 'perp.funded':
        return this.#count('fundings')
      case 'perp.fundingPaid':
        return this.#count('funding payments')
      case 'perp.liquidated':
        this.#count(event.order === 0 ? 'takeovers' : 'liquidation steps')
        if (this.#cross.has(event.position)) this.#count('cross liquidations')
        return
      case 'perp.deleveraged':
        return this.#count(event.lots === 0 ? 'profits taken for losses' : 'deleveraged positions')
      case 'perp.takenOver':
        return this.#count('positions taken over by the fund')
      case 'perp.level':
        if (event.state === 'watch') this.#count(event.market === 0 ? 'cross accounts near liquidation' : 'positions near liquidation')
        return
      case 'margin.loan':
        return this.#count(causes[event.cause] ?? `loans ended by ${event.cause}`)
      case 'margin.level':
        if (event.state === 'watch') this.#count('warnings')
        return
      case 'margin.liquidated':
        return this.#count(event.order === 0 ? 'insured margin losses' : 'margin liquidations')
      case 'lend.claim':
        if (event.queued > 0) this.#count('queued withdrawals')
        return
      case 'user.changed':
        if (event.isFrozen) this.#count('frozen users')
        return
      case 'user.certified':
        if (!event.isCertified) this.#count('lost certifications')
        return
      case 'option.settled':
        return this.#count(event.result === 'void' ? `voids by ${event.reason}` : results[event.result])
      case 'option.house':
        if (!event.isOpen) this.#count('house closed')
        return
      case 'index.ticked':
        if (!event.isGood) this.#count('ticks with bad sources')
        return
      case 'entry': {
        if (event.reason === 'insurance' && accountKey(event.account) === 'outside:perp 1') this.#count('insured futures losses')
        if (!('user' in event.account)) return
        if (event.reason === 'supply' && event.account.kind === 'lend') this.#count('supplies')
        if (event.reason === 'withdraw' && event.account.kind === 'spot') this.#count('withdrawals')
        if (event.reason === 'transfer' && event.delta > 0) this.#count('transfers')
        return
      }
      default:
    }
  }

  #count(name: string, more = 1): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + more)
  }
}
