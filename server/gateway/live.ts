import type { Event } from '@candor/core/protocol/event/index.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { WireFeed } from '@candor/core/protocol/wire/market.ts'
import type { Link } from '../engine/link.ts'
import { FeedStatus } from '../live/feed-status.ts'
import { Freshness } from '../live/freshness.ts'
import { MarketData } from '../live/data.ts'
import { Followed } from '../live/followed.ts'
import { MemoryAsk } from '../live/memory-ask.ts'
import { OrderTimes } from '../live/order-times.ts'
import { HealthReports, type ProcessHealth } from '../live/process-health.ts'
import { type GatewayOptions, logOf } from './options.ts'
import { type ProjectionLag, ProjectionStatus } from '../live/projection-status.ts'
import { Staleness } from '../live/staleness.ts'
import { topics } from './topics.ts'

/**
 * This process's copy of the exchange's state, fed by the link. Nothing arrives before `start`, so that followers of the changes
 * can subscribe first.
 */
export class Live {
  readonly feed = new FeedStatus()
  readonly projection = new ProjectionStatus()
  readonly followed = new Followed()
  readonly reports = new HealthReports()
  readonly orderTimes = new OrderTimes()
  readonly staleness: Staleness
  readonly freshness: Freshness
  readonly data: MarketData
  readonly memory: MemoryAsk
  readonly #link: Link
  /** Whether customers may write by another gateway what they read here. */
  hasOthers: () => boolean = () => false
  #isLinkUp = false
  #isClockSynced = true

  constructor(options: Pick<GatewayOptions, 'link' | 'store' | 'logger' | 'patience'>) {
    const { link, store, patience = {} } = options
    const { followed } = this
    this.#link = link
    this.staleness = new Staleness(() => this.data.isReady)
    this.freshness = new Freshness(
      async () => {
        const { rows } = await store.pool.query<{ seq: number }>('select seq from projection')
        return rows[0]?.seq ?? 0
      },
      () => link.publish(topics.wanted, true),
      patience.lagMs,
    )
    this.data = new MarketData({ ask: link.ask, pool: store.pool, freshness: this.freshness, followed, log: logOf(options) })
    this.memory = new MemoryAsk({ ask: link.ask, orders: this.data.orders, followed, freshness: this.freshness })
    this.#hearStates()
  }

  /** Whether the engine accepts commands. */
  get isLinkUp(): boolean {
    return this.#isLinkUp
  }

  get isClockSynced(): boolean {
    return this.#isClockSynced
  }

  /** Resolves when the market data is complete. */
  async start(): Promise<void> {
    const { data, memory, freshness, staleness } = this
    data.onReset(() => memory.forget())
    data.onCommand((events, { seq, user: by }) => {
      if (by > 0 && this.hasOthers()) freshness.wrote(by, seq)
      for (const event of events) {
        memory.heard(event)
        const user = newsTo(event)
        if (user !== undefined) freshness.wrote(user, seq)
      }
    })
    this.#link.onReleased((batch) => {
      staleness.heard()
      data.released(batch)
    })
    await data.start()
  }

  #hearStates(): void {
    this.#link.onState((state) => {
      this.#isLinkUp = state === 'up'
      this.staleness.hearState(this.#isLinkUp)
    })
    this.#link.onPublished(topics.projected, (value) => this.projection.hear(value as ProjectionLag))
    this.#link.onPublished(topics.clock, (value) => {
      this.#isClockSynced = value === true
    })
    for (const topic of [topics.engineHealth, topics.followerHealth])
      this.#link.onPublished(topic, (value) => this.reports.hear(value as ProcessHealth))
    this.#link.onPublished(topics.feed, (value) => this.feed.hear(value as WireFeed))
  }
}

/** The user whom an event affects without a request of theirs. That user's next read of the tables must contain it. */
function newsTo(event: Event): UserId | undefined {
  switch (event.type) {
    case 'traded':
      return event.makerUser
    case 'option.settled':
    case 'perp.closed':
    case 'perp.liquidated':
    case 'perp.fundingPaid':
    case 'algo.part':
    case 'algo.missed':
    case 'algo.ended':
    case 'margin.loan':
    case 'margin.liquidated':
    case 'lend.claim':
      return event.user
    default:
      return undefined
  }
}
