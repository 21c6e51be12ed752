import { setTimeout as sleep } from 'node:timers/promises'
import type { MarketId } from '@candor/core/protocol/ids.ts'
import type { WireFeed } from '@candor/core/protocol/wire/market.ts'
import type { Link } from '../../engine/link.ts'
import { type FeedOptions, type Feeds, startFeeds } from '../../feeds/feeds.ts'
import { topics } from '../../gateway/topics.ts'
import type { Store } from '../../store/open.ts'
import { Seat } from '../../store/seat.ts'
import { copyReferenceCandles, copyReferenceMarks, insertReferenceCandles } from '../../store/query/market/reference.ts'
import { type Sample, sample } from '../../watch/samples.ts'
import type { Ground } from '../roles.ts'

const retryMs = 500

/** Metrics of the prices of this process. */
export type Prices = AsyncDisposable & { readonly samples: () => readonly Sample[] }

/**
 * Feeds outside prices into the exchange. One process does it at a time. A second one listens to the venues too and fills in where ticks are
 * late; with a simulated or recorded market, which has no venues, it waits until the first one is gone.
 */
export async function startPrices(ground: Ground, link: Link, { hasHistory }: { readonly hasHistory: boolean }): Promise<Prices> {
  const { settings, store, logger } = ground
  await using parts = new AsyncDisposableStack()
  let won = (): void => undefined
  const seat = parts.use(await Seat.open({ url: store.url, name: 'feeds', onWon: () => won() }))
  let feeds: Feeds | undefined
  let [hasOther, isEnding] = [false, false]
  link.onPublished(topics.ticked, () => (hasOther = true))
  const hear = (listener: () => void): void => link.onPublished(topics.ticked, listener)
  const others = { isFirst: () => seat.isHeld, tell: () => link.publish(topics.ticked, true), hear }
  const start = async (fills: boolean): Promise<void> => {
    hasOther = false
    feeds = await startFeeds({ ...(await feedOptions(ground, link, fills)), others })
    if (seat.isHeld) link.publish(topics.feed, feeds.status())
  }
  const isLive = settings.feed === 'auto' || settings.feed === 'live'
  // Feeds may fail to start (an unreadable recording); parts that already run must then be stopped.
  if (seat.isHeld) await start(hasHistory)
  else if (isLive) await start(false)
  else logger.info('another process feeds prices: this one waits')
  /** A simulated market here is not where that of another process was. */
  const goOn = async (): Promise<void> => {
    if (isEnding || (feeds !== undefined && (!hasOther || feeds.status().mode === 'live'))) return
    await feeds?.[Symbol.asyncDispose]()
    // Should the start fail, the next try must not take the ended ones for running.
    feeds = undefined
    await start(false)
  }
  /** The seat is often won while the database is being replaced: giving up would leave the exchange without prices. */
  const goOnUntilFed = async (): Promise<void> => {
    while (!isEnding && seat.isHeld) {
      try {
        return await goOn()
      } catch (cause) {
        logger.error({ err: cause }, 'prices could not be fed, trying again')
        await sleep(retryMs)
      }
    }
  }
  let going = Promise.resolve()
  won = () => {
    going = going.then(goOnUntilFed)
  }
  if (seat.isHeld && feeds === undefined) won()
  parts.defer(async () => {
    isEnding = true
    await going
    await feeds?.[Symbol.asyncDispose]()
  })
  const owned = parts.move()
  return { samples: () => (feeds === undefined ? [] : samplesOf(feeds)), [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** fills  whether charts that are empty are filled with history */
async function feedOptions({ settings, store, logger }: Ground, link: Link, fills: boolean): Promise<FeedOptions> {
  const { rows: reference } = await store.pool.query<{ has: boolean }>('select exists (select from candles_1h) as has')
  const listing = await link.ask.listing()
  const contractsOn = (index: MarketId) => listing.markets.filter(({ perp }) => perp?.index === index)
  for (const { id, perp } of reference[0]?.has ? listing.markets : []) {
    if (perp === undefined) continue
    await copyReferenceCandles(store.pool, perp.index, id)
    await copyReferenceMarks(store.pool, perp.index, id)
  }
  return {
    mode: settings.feed,
    seed: settings.seed,
    submit: link.submit,
    // Only spot markets take prices; Futures markets follow them.
    listing: { ...listing, markets: listing.markets.filter(({ perp }) => perp === undefined) },
    publish: (status: WireFeed) => link.publish(topics.feed, status),
    ...(reference[0]?.has || !fills
      ? {}
      : {
          insertReferenceCandles: async (market, interval, candles) => {
            for (const id of [market, ...contractsOn(market).map((contract) => contract.id)]) {
              await insertReferenceCandles(store.pool, id, interval, candles)
            }
            for (const { id } of contractsOn(market)) await copyReferenceMarks(store.pool, market, id)
          },
        }),
    startAt: await lastPrices(store),
    log: logger,
  }
}

function samplesOf(feeds: Feeds): readonly Sample[] {
  return feeds
    .distances()
    .flatMap(({ venue, market, ageMs, distance }) => [
      sample('candor_feed_price_age_seconds', ageMs / 1e3, { venue, market }),
      sample('candor_feed_distance_ratio', distance, { venue, market }),
    ])
}

/** Prices from which a simulated market continues: the last price of each market's chart, at 1e-8. */
async function lastPrices(store: Store): Promise<ReadonlyMap<string, number>> {
  const { rows } = await store.pool.query<{ market: string; price: number }>(
    `select distinct on (market) market, (close * 100000000)::bigint as price from candles_1m order by market, open_time desc`,
  )
  return new Map(rows.map(({ market, price }) => [market, price]))
}
