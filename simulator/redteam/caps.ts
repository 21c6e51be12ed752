import type { Event } from '@candor/core/protocol/event/index.ts'
import { BTC, coins, ETH, USDT } from './coins.ts'
import { funds } from './terms.ts'

/** Parts of a fund that it may lose and may have at risk: in one market, within ten minutes in one market, and in all markets. */
const parts = { 'in one market': 0.1, 'in one market within ten minutes': 0.05, 'in all markets': 0.25 } as const
const recentMs = 600_000
/** A smaller difference, in USDT, comes from rounded values. */
const cent = 0.01

type Cap = keyof typeof parts
const caps = Object.keys(parts) as readonly Cap[]
type Inventory = { readonly lots: number; readonly cost: number }
type Risks = Readonly<Record<Cap, number>>

/**
 * Watches both insurance funds during a run, from events alone. What a fund loses, less what it gains by its inventory and by
 * funding but without its fees, must stay within its caps at every moment. The Futures fund must also be within its caps after each
 * take-over that raises its risk:
 *
 *   loss of the inventory at the mark + 20 % of its value (coins other than BTC and ETH: 40 %)
 *
 * For lost money the caps are parts of the fund at the start of the run, for risks parts of what it has before the take-over.
 */
export class FundCaps {
  readonly #perp = new Losses()
  readonly #margin = new Losses()
  readonly #faults: string[] = []
  /** Losses without a market so far: the next event of Futures has it. */
  #loss = 0
  /** Funding that went through the fund: since the last payment was told, and of running rounds by market. */
  #funding = 0
  readonly #rounds = new Map<number, number>()
  readonly #marks = new Map<number, number>()
  readonly #inventories = new Map<number, Inventory>()
  readonly #taken: { readonly market: number; readonly atMs: number; readonly risk: number }[] = []
  #available = 0
  #isTaking = false

  /** One sentence for each cap that was exceeded. */
  get faults(): readonly string[] {
    const lost = [
      ['insurance', this.#perp],
      ['insurance-margin', this.#margin],
    ] as const
    return [
      ...this.#faults,
      ...lost.flatMap(([fund, { largest }]) =>
        caps.filter((cap) => largest[cap] > parts[cap] * funds[fund]).map((cap) => `${fund} lost ${largest[cap].toFixed(0)} USDT ${cap}`),
      ),
    ]
  }

  /** Largest part of a cap that losses reached: 1 is the whole cap. */
  get use(): number {
    const used = (fund: 'insurance' | 'insurance-margin', { largest }: Losses) =>
      caps.map((cap) => largest[cap] / (parts[cap] * funds[fund]))
    return Math.max(...used('insurance', this.#perp), ...used('insurance-margin', this.#margin))
  }

  see(event: Event, atMs: number): void {
    switch (event.type) {
      case 'entry':
        if ('system' in event.account && event.account.system === 'insurance' && event.account.asset === USDT) {
          this.#available = event.available / 1e6
          const change = (event.delta + event.heldDelta) / 1e6
          if (event.reason === 'funding') this.#funding += change
          else if (event.reason === 'realised' || event.reason === 'insurance') this.#loss -= change
        }
        return
      case 'margin.liquidated':
        return event.insured > 0 ? this.#margin.add(event.market, atMs, event.insured / 1e6) : undefined
      case 'perp.marked':
        this.#marks.set(event.market, event.mark)
        break
      case 'perp.takenOver':
        this.#isTaking = true
        break
      case 'perp.inventory':
        this.#carry(event.market, event, atMs)
        break
      case 'perp.fundingPaid':
        this.#fund(event.market, event.rate, atMs)
        break
      case 'perp.funded':
        this.#perp.add(event.market, atMs, -(this.#rounds.get(event.market) ?? 0))
        this.#rounds.delete(event.market)
        break
      default:
        if (!event.type.startsWith('perp.')) return
    }
    if (this.#loss === 0 || !('market' in event)) return
    this.#perp.add(event.market as number, atMs, this.#loss)
    this.#loss = 0
  }

  /** A round passes payers' money through the fund, so only its end tells a loss. With rate 0 the fund's advance is paid back. */
  #fund(market: number, rate: number, atMs: number): void {
    if (rate === 0) this.#perp.add(market, atMs, -this.#funding)
    else this.#rounds.set(market, (this.#rounds.get(market) ?? 0) + this.#funding)
    this.#funding = 0
  }

  #carry(market: number, { lots, cost }: Inventory, atMs: number): void {
    const before = this.#riskOf(market)
    this.#inventories.set(market, { lots, cost })
    if (!this.#isTaking) return
    this.#isTaking = false
    const risk = this.#riskOf(market)
    if (risk <= before) return
    this.#taken.push({ market, atMs, risk: risk - before })
    const recent = this.#taken.filter((one) => one.market === market && one.atMs > atMs - recentMs)
    const all = coins.reduce((sum, coin) => sum + this.#riskOf(coin.perp), 0)
    const sum = (risks: readonly { readonly risk: number }[]): number => risks.reduce((whole, one) => whole + one.risk, 0)
    this.#check({ 'in one market': risk, 'in one market within ten minutes': sum(recent), 'in all markets': all })
  }

  #check(risks: Risks): void {
    for (const cap of caps) {
      if (risks[cap] <= parts[cap] * this.#available + cent) continue
      this.#faults.push(`a take-over put ${risks[cap].toFixed(2)} of the fund's ${this.#available.toFixed(2)} USDT at risk ${cap}`)
    }
  }

  #riskOf(market: number): number {
    const { lots, cost } = this.#inventories.get(market) ?? { lots: 0, cost: 0 }
    const coin = coins.find(({ perp }) => perp === market)
    if (lots === 0 || coin === undefined) return 0
    const value = Math.abs(lots) * (this.#marks.get(market) ?? 0) * coin.q
    const loss = lots > 0 ? cost - value : value - cost
    return (Math.max(0, loss) + value * (coin === BTC || coin === ETH ? 0.2 : 0.4)) / 1e6
  }
}

/** Net losses of one fund, in USDT, and the largest that they were. */
class Losses {
  readonly #sums = new Map<number, number>()
  readonly #recent = new Map<number, { readonly atMs: number; readonly loss: number }[]>()
  readonly largest: Record<Cap, number> = { 'in one market': 0, 'in one market within ten minutes': 0, 'in all markets': 0 }

  add(market: number, atMs: number, loss: number): void {
    const here = (this.#sums.get(market) ?? 0) + loss
    this.#sums.set(market, here)
    const recent = [...(this.#recent.get(market) ?? []), { atMs, loss }].filter((one) => one.atMs > atMs - recentMs)
    this.#recent.set(market, recent)
    const all = [...this.#sums.values()].reduce((sum, one) => sum + one, 0)
    const lately = recent.reduce((sum, one) => sum + one.loss, 0)
    const now: Risks = { 'in one market': here, 'in one market within ten minutes': lately, 'in all markets': all }
    for (const cap of caps) this.largest[cap] = Math.max(this.largest[cap], now[cap])
  }
}
