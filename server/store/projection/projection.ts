import type { Seq, UserId } from '@candor/core/protocol/ids.ts'
import type { Millis, Ticks } from '@candor/core/money/brand.ts'
import type { Records } from '@candor/core/protocol/codec/records.ts'
import type { Event, OutcomeEvent } from '@candor/core/protocol/event/index.ts'
import type { OpenOrder, RunningOption } from '@candor/core/protocol/port.ts'
import { AlgoProjection } from './algo/algo.ts'
import type { NetworkNames } from './coins/notices.ts'
import { ChainProjection } from './chain.ts'
import type { Statement } from './columns.ts'
import { ConvertProjection } from './convert.ts'
import { ReferralProjection } from './referral/referral.ts'
import { CostProjection, type CostStanding } from './costs/costs.ts'
import { DebtDays } from './debt-days.ts'
import { FigureProjection } from './figures.ts'
import { FundsProjection } from './funds.ts'
import { type CommandPlace, eachCommand } from './each-command.ts'
import type { Known } from './known.ts'
import { LendingProjection } from './lending.ts'
import { LoanProjection } from './loans.ts'
import { MarketProjection } from './market.ts'
import { InsuranceProjection } from './insurance.ts'
import { NoticeProjection, type NoticeUsers } from './notices.ts'
import { OptionProjection } from './option.ts'
import { OrderProjection } from './orders.ts'
import { PresaleProjection } from './presale/presales.ts'
import type { ReceiptStart } from './receipts/lines.ts'
import { ReceiptProjection } from './receipts/receipts.ts'
import { PerpProjection, type PerpStanding } from './perp.ts'
import { RequestProjection, type RequestSource } from './requests.ts'
import { TapeProjection } from './tape.ts'
import { UserProjection, type UserRow } from './user.ts'
import { WebhookProjection, type WebhookUsers } from './webhooks.ts'

/** Contents of the tables, and the orders that the core keeps at the same position of the journal. */
export type Standing = {
  readonly seq: Seq
  readonly at: Millis
  readonly known: Known
  readonly users: readonly UserRow[]
  readonly openOrders: Iterable<OpenOrder>
  readonly openOptions: Iterable<RunningOption>
  /** Price of each market's last trade in ticks, by symbol. */
  readonly lastPrices: ReadonlyMap<string, Ticks>
  readonly perp: PerpStanding
  /** Default: nobody has a coin, and no coin has a price. */
  readonly costs?: CostStanding
  /** Default: nobody belongs to the house, and all commands have receipts. */
  readonly receipts?: ReceiptStart
  /** Users whose requests are in the tables. Default: none. */
  readonly recorded?: Iterable<UserId>
  /** How long ticks of the index tape are kept; undefined: for ever. */
  readonly tapeKeptMs?: number | undefined
  /** What notices and webhooks call networks. Default: their numbers. */
  readonly networks?: NetworkNames | undefined
}

/** The commands after `from`, up to and including `to`, as statements: they and the watermark are one transaction. */
export type Part = {
  readonly from: Seq
  readonly to: Seq
  readonly at: Millis
  readonly statements: readonly Statement[]
  /** Whether the batch contains events that a webhook may want. */
  readonly hasNews: boolean
}

/** Turns events of the core into rows. It works in memory only: a batch that is taken and not written is lost. */
export class Projection {
  readonly #users: UserProjection
  readonly #markets: MarketProjection
  readonly #funds: FundsProjection
  readonly #orders: OrderProjection
  readonly #perp: PerpProjection
  readonly #insurance: InsuranceProjection
  readonly #figures: FigureProjection
  readonly #debts: DebtDays
  readonly #costs: CostProjection
  readonly #chain: ChainProjection
  readonly #algos: AlgoProjection
  readonly #convert: ConvertProjection
  readonly #referral: ReferralProjection
  readonly #presale = new PresaleProjection()
  readonly #loans: LoanProjection
  readonly #lending: LendingProjection
  readonly #options: OptionProjection
  readonly #tape: TapeProjection
  readonly #webhooks: WebhookProjection
  readonly #notices: NoticeProjection
  readonly #requests: RequestProjection
  readonly #receipts: ReceiptProjection
  #from: Seq
  #seq: Seq
  #at: Millis

  constructor(standing: Standing) {
    const { known, users, openOrders, openOptions, lastPrices, perp, recorded, tapeKeptMs, networks = new Map(), seq, at } = standing
    const { costs = { held: [], indexes: new Map() }, receipts = { house: [], after: 0 as Seq } } = standing
    this.#users = new UserProjection(known, users)
    this.#markets = new MarketProjection(known, at, lastPrices)
    this.#funds = new FundsProjection(known)
    this.#orders = new OrderProjection(known, openOrders)
    this.#perp = new PerpProjection(known, at, perp)
    this.#insurance = new InsuranceProjection(known)
    this.#figures = new FigureProjection(known, (view, quote) => this.#markets.usdtOf(view, quote))
    this.#debts = new DebtDays(known)
    this.#costs = new CostProjection(known, costs)
    this.#chain = new ChainProjection(known)
    this.#algos = new AlgoProjection(known)
    this.#convert = new ConvertProjection(known)
    this.#referral = new ReferralProjection(known)
    this.#loans = new LoanProjection(known)
    this.#lending = new LendingProjection(known)
    this.#options = new OptionProjection(known, openOptions)
    this.#tape = new TapeProjection(at, tapeKeptMs)
    this.#webhooks = new WebhookProjection(known, this.#orders, this.#options, networks)
    this.#notices = new NoticeProjection(known, this.#orders, this.#options, networks)
    this.#requests = new RequestProjection(at, recorded)
    this.#receipts = new ReceiptProjection(known, receipts)
    this.#from = seq
    this.#seq = seq
    this.#at = at
  }

  /** Requests with client ids are not events: they come from the core that replays the journal. */
  follow(core: RequestSource): void {
    this.#requests.follow(core)
  }

  /** The last command that was applied. */
  get seq(): Seq {
    return this.#seq
  }

  /** Approximate count of rows that wait to be taken. */
  get size(): number {
    return this.#parts.reduce((sum, part) => sum + part.size, 0)
  }

  /** From the next command on, events of these users go to their webhooks. Without a call there are none. */
  watch(users: WebhookUsers): void {
    this.#webhooks.watch(users)
  }

  /** From the next command on, users get notices, these none of the kinds that they don't want. Without a call nobody gets any. */
  notify(unwanted: NoticeUsers): void {
    this.#notices.watch(unwanted)
  }

  /** Takes the events of whole commands, in order, and these commands. Throws at an unknown event. */
  apply(records: Records, commands?: Records): void {
    eachCommand(records, commands, (events, place) => this.applyCommand(events, place))
  }

  take(): Part {
    const hasNews = this.#webhooks.size > 0
    const statements = this.#parts.flatMap((part) => part.take()).filter((statement) => statement !== undefined)
    const part = { from: this.#from, to: this.#seq, at: this.#at, statements, hasNews }
    this.#from = this.#seq
    return part
  }

  /** The events of one command, its outcome last, and where the command is. */
  applyCommand(events: readonly Event[], place?: CommandPlace): void {
    const { seq, at } = events.at(-1) as OutcomeEvent
    if (seq !== this.#seq + 1) throw new Error(`Command ${seq} can't follow ${this.#seq}`)
    const isWatched = this.#webhooks.isAwake
    this.#orders.begin(events)
    for (let index = 0; index < events.length; index++) {
      const event = events[index] as Event
      this.#users.apply(event)
      this.#markets.apply(event, at)
      // Before a closed order is forgotten.
      this.#notices.apply(event, seq, at)
      this.#orders.apply(event, seq, at)
      // After the effects of a trade on its orders, and before a settled Second order is forgotten.
      if (isWatched) this.#webhooks.apply(event, index, seq, at)
      this.#insurance.apply(event, at)
      this.#figures.apply(event, at)
      this.#debts.apply(event, at)
      this.#costs.apply(event)
      this.#chain.apply(event, at)
      this.#algos.apply(event, at)
      this.#convert.apply(event, at)
      this.#referral.apply(event, at)
      this.#presale.apply(event, at)
      this.#lending.apply(event, at)
      this.#options.apply(event)
      this.#tape.apply(event)
    }
    this.#perp.applyCommand(events, seq, at)
    this.#funds.applyCommand(events, seq, at)
    this.#loans.applyCommand(events, seq, at)
    this.#receipts.applyCommand(events, seq, at, place)
    this.#requests.passed(at)
    this.#seq = seq
    this.#at = at
  }

  get #parts() {
    return [
      ...[this.#users, this.#markets, this.#orders, this.#funds, this.#perp, this.#insurance, this.#figures, this.#debts],
      ...[this.#chain, this.#algos, this.#convert, this.#presale, this.#referral, this.#loans, this.#lending, this.#options, this.#tape],
      ...[this.#webhooks, this.#notices, this.#requests, this.#costs, this.#receipts],
    ]
  }
}
