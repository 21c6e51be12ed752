import { commandOf } from '@candor/core/protocol/test/literals.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { Submit } from '@candor/core/protocol/port.ts'
import { connectLink } from '../../../engine/connect-link.ts'
import { dialSocket } from '../../../engine/link/wire.ts'
import type { Link } from '../../../engine/link.ts'
import { linkPath } from '../../../engine/link-path.ts'
import { topics } from '../../../gateway/topics.ts'
import { startExchange, type TestExchange, type TestUser } from '../../../main/test/exchange.ts'
import { Freshness } from '../../freshness.ts'
import { OldIds } from '../old-ids.ts'

/** Count of requests of one user whose client ids the core remembers. */
export const ring = 1_000

export const cancelOf = (user: TestUser, clientId: string, order = 1_000_000): Command =>
  commandOf({ type: 'spot.cancel', user: user.id, clientId, market: 1, order, orderClientId: '' })

type Pool = TestExchange['store']['pool']
type GatewayOptions = { readonly freshness?: Pick<Freshness, 'reached'>; readonly tablesMaxMs?: number; readonly seenBytesMax?: number }

/** An exchange, the link of another gateway to it, and as many further gateways as a test creates. */
export class IdsWorld implements AsyncDisposable {
  readonly exchange: TestExchange
  /** The link of another gateway. */
  readonly link: Link
  readonly #late: { ms: number }
  readonly #others: OldIds[] = []
  #turns = 0

  private constructor(exchange: TestExchange, link: Link, late: { ms: number }) {
    this.exchange = exchange
    this.link = link
    this.#late = late
  }

  static async start(): Promise<IdsWorld> {
    const late = { ms: 0 }
    const time = { wall: () => Date.now() + late.ms, steady: () => performance.now() + late.ms }
    const exchange = await startExchange({ hasFeeds: false, time })
    const world = new IdsWorld(exchange, await connectLink(dialSocket(linkPath(exchange.dataFolder))), late)
    await world.tick()
    return world
  }

  async tick(): Promise<void> {
    const prices = [{ market: 1, price: 6e12, sources: 4, isGood: true }]
    await this.link.submit(commandOf({ type: 'index.tick', prices }))
  }

  /** Lets time pass on the exchange's clock alone. */
  pass(ms: number): void {
    this.#late.ms += ms
  }

  /** Another gateway sends refused commands until no earlier request is in the core's ring any more. */
  async turnRing(user: TestUser, count = ring): Promise<void> {
    const turn = ++this.#turns
    for (let looks = 0; looks < 8; looks++) this.#tellAll(user)
    await Promise.all(Array.from({ length: count }, (_, n) => this.link.submit(cancelOf(user, `turn-${turn}-${n}`))))
  }

  /** Every gateway does this when it lets more of a user's requests pass. */
  #tellAll(user: TestUser): void {
    this.link.publish(topics.looked, user.id)
    for (const other of this.#others) other.heard(user.id)
  }

  /** A gateway of its own, and the count of its questions. */
  gateway(
    pool: Pool = this.exchange.store.pool,
    { freshness, tablesMaxMs, seenBytesMax }: GatewayOptions = {},
  ): { readonly submit: Submit; readonly asked: { core: number; tables: number; sent: number } } {
    const { link } = this
    const asked = { core: 0, tables: 0, sent: 0 }
    const counting = {
      query: (...args: unknown[]) => {
        if (JSON.stringify(args[0]).includes('request_blocks')) asked.tables++
        return (pool.query as (...args: unknown[]) => unknown).apply(pool, args)
      },
    } as unknown as Pool
    const ids = new OldIds({
      submit: (command, keyId) => {
        asked.sent++
        return link.submit(command, keyId)
      },
      ask: {
        requestRoom: (user) => {
          asked.core++
          return link.ask.requestRoom(user)
        },
      },
      freshness: freshness ?? freshnessOf(counting),
      pool: counting,
      ...(tablesMaxMs === undefined ? {} : { tablesMaxMs }),
      ...(seenBytesMax === undefined ? {} : { seenBytesMax }),
    })
    this.#others.push(ids)
    return { submit: ids.submit, asked }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.link[Symbol.asyncDispose]()
    await this.exchange[Symbol.asyncDispose]()
  }
}

/** Freshness by the watermark of the tables. */
export const freshnessOf = (pool: Pool): Freshness =>
  new Freshness(async () => (await pool.query<{ seq: number }>('select seq from projection')).rows[0]!.seq)
