import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import type { WireFeed } from '@candor/core/protocol/wire/market.ts'
import { startFeeds, type FeedOptions } from './feeds.ts'
import { feedMode } from './mode.ts'
import { keepLog, keepTicks, listing, startVenue, until, type LoopbackVenue } from './test/world.ts'
import { binance } from './venue/binance.ts'

const refused = { ...binance, name: 'refused', socketUrl: 'ws://127.0.0.1:1' }

/** Three venues that send Binance's messages and quote BTC at this price, with ETH and the cross to match. */
async function startThree(
  price: () => number | undefined,
): Promise<{ hosts: LoopbackVenue[]; venues: NonNullable<FeedOptions['venues']> } & AsyncDisposable> {
  const hosts: LoopbackVenue[] = []
  for (let count = 0; count < 3; count += 1) {
    hosts.push(
      await startVenue((socket, text) => {
        if (text === undefined) return
        const speak = (): void => {
          const btc = price()
          if (btc === undefined) return socket.terminate()
          for (const [symbol, value] of [
            ['BTCUSDT', btc],
            ['ETHUSDT', btc / 25],
            ['ETHBTC', 0.04],
          ] as const) {
            socket.send(`{"u":1,"s":"${symbol}","b":"${value}","B":"1","a":"${value}","A":"1"}`)
          }
        }
        speak()
        const timer = setInterval(speak, 100)
        socket.on('close', () => clearInterval(timer))
      }),
    )
  }
  return {
    hosts,
    venues: hosts.map((host, index) => ({ ...binance, name: `loopback-${index}`, socketUrl: host.url })),
    async [Symbol.asyncDispose]() {
      for (const host of hosts) await host[Symbol.asyncDispose]()
    },
  }
}

test('FEEDS-MODE-001: simulated: every market has a good index of four venues from the start, and it moves', async () => {
  const { ticks, submit, last } = keepTicks()
  const published: WireFeed[] = []
  await using feeds = await startFeeds({
    mode: 'simulated',
    seed: '1',
    submit,
    listing,
    log: keepLog(),
    publish: (status) => published.push(status),
    everyMs: 20,
  })
  assert.deepEqual(
    ticks[0].prices.map((price) => [price.market, price.sources, price.isGood]),
    [
      [1, 4, true],
      [2, 4, true],
      [3, 4, true],
    ],
  )
  await until(() => ticks.length > 5)
  assert.equal(feeds.status().mode, 'simulated')
  assert.equal(feeds.status().isFallback, false)
  assert.equal(published[0].venues.length, 4)
  const ratio = (last(2)?.price ?? 0) / (last(1)?.price ?? 1) / ((last(3)?.price ?? 0) / 100_000_000)
  assert.ok(Math.abs(ratio - 1) < 0.01, 'the cross agrees with its legs')
})

test('FEEDS-SIM-001: the same seed feeds the same prices', async () => {
  const first = async (seed: string): Promise<unknown> => {
    const { ticks, submit } = keepTicks()
    await using _feeds = await startFeeds({ mode: 'simulated', seed, submit, listing, log: keepLog() })
    return ticks[0]
  }
  assert.deepEqual(await first('s'), await first('s'))
  assert.notDeepEqual(await first('s'), await first('t'))
})

test('a simulated market continues from the exchange’s last prices', async () => {
  const { submit, last } = keepTicks()
  await using _feeds = await startFeeds({
    mode: 'simulated',
    seed: '1',
    submit,
    listing,
    log: keepLog(),
    startAt: new Map([['BTCUSDT', 50_000_00000000]]),
  })
  assert.ok(Math.abs((last(1)?.price ?? 0) / 50_000_00000000 - 1) < 0.01)
})

test('FEEDS-MODE-002: live: three venues make a good index, two one that is not', async () => {
  await using three = await startThree(() => 60_000)
  const { submit, last } = keepTicks()
  await using feeds = await startFeeds({ mode: 'live', seed: '1', submit, listing, log: keepLog(), venues: three.venues, everyMs: 20 })
  assert.deepEqual(last(1), { market: 1, price: 60_000_00000000, sources: 3, isGood: true })
  assert.deepEqual(last(3), { market: 3, price: 4_000_000, sources: 3, isGood: true })
  assert.equal(feeds.status().mode, 'live')
  await three.hosts[0][Symbol.asyncDispose]()
  await until(() => last(1)?.sources === 2)
  assert.equal(last(1)?.isGood, false)
})

test('FEEDS-MODE-003: live mode without any venue waits for one and invents no prices', async () => {
  const { ticks, submit } = keepTicks()
  await using feeds = await startFeeds({
    mode: 'live',
    seed: '1',
    submit,
    listing,
    log: keepLog(),
    venues: [refused],
    everyMs: 20,
    patienceMs: 200,
    retryMs: 20,
  })
  await new Promise((resolve) => setTimeout(resolve, 100))
  assert.equal(
    ticks.every(({ prices }) => prices.length === 0),
    true,
  )
  assert.equal(feeds.status().mode, 'live')
  assert.equal(feeds.status().venues[0].isUp, false)
})

test('FEEDS-MODE-004: auto falls back to a simulated market when no venue answers, and reports it', async () => {
  const { submit, last } = keepTicks()
  const startedAt = performance.now()
  await using feeds = await startFeeds({ mode: 'auto', seed: '1', submit, listing, log: keepLog(), venues: [refused], everyMs: 20 })
  assert.ok(performance.now() - startedAt < 2_000, 'a venue that refuses is not waited for')
  assert.equal(last(1)?.isGood, true)
  assert.deepEqual([feeds.status().mode, feeds.status().isFallback], ['simulated', true])
})

test('FEEDS-MODE-005: auto goes live when venues are back, and continues simulated from the last live price when they are gone', {
  timeout: 40_000,
}, async () => {
  let price: number | undefined
  await using three = await startThree(() => price)
  const { submit, last } = keepTicks()
  const published: string[] = []
  await using feeds = await startFeeds({
    mode: 'auto',
    seed: '1',
    submit,
    listing,
    log: keepLog(),
    venues: three.venues,
    everyMs: 20,
    patienceMs: 100,
    retryMs: 20,
    steadyMs: 100,
    goneMs: 100,
    publish: (status) => published.push(`${status.mode} ${status.isFallback}`),
  })
  assert.equal(feeds.status().isFallback, true)
  price = 77_000
  await until(() => feeds.status().mode === 'live', 120_000)
  await until(() => last(1)?.price === 77_000_00000000)
  price = undefined
  await until(() => feeds.status().mode === 'simulated', 120_000)
  await until(() => last(1)?.sources === 4)
  assert.ok(Math.abs((last(1)?.price ?? 0) / 77_000_00000000 - 1) < 0.01, String(last(1)?.price))
  assert.deepEqual([...new Set(published)].sort(), ['live false', 'simulated true'])
})

test('FEEDS-MODE-006: replay: recorded markets have their recorded price, the others a simulated one consistent with it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'candor-feeds-'))
  try {
    const path = join(folder, 'frames.txt')
    await writeFile(path, '1723161253000000000 {"u":1,"s":"BTCUSDT","b":"61837.63","B":"1","a":"61837.64","A":"1"}\n')
    const { submit, last } = keepTicks()
    await using feeds = await startFeeds({ mode: `replay:${path}`, seed: '1', submit, listing, log: keepLog(), everyMs: 20 })
    await until(() => last(1) !== undefined && last(3) !== undefined)
    const quotes = [{ venue: 0, price: 6_183_763_500_000 }]
    const alone = { market: 1, price: 6_183_763_500_000, sources: 1, isGood: false, quotes }
    assert.deepEqual(last(1), alone, 'one venue is not enough to settle by')
    assert.equal(last(2)?.isGood, true)
    const cross = (last(2)?.price ?? 0) / 6_183_763_500_000 / ((last(3)?.price ?? 1) / 100_000_000)
    assert.ok(Math.abs(cross - 1) < 0.01, `cross is off: ${cross}`)
    assert.equal(feeds.status().mode, 'replay')
    assert.equal(feeds.status().venues[0]?.isUp, true)
  } finally {
    await rm(folder, { recursive: true })
  }
  const { submit } = keepTicks()
  await assert.rejects(startFeeds({ mode: 'replay:/nowhere.gz', seed: '1', submit, listing, log: keepLog() }), /can't be read/)
})

test('a mode is spelt right or refused', () => {
  assert.deepEqual(['auto', 'live', 'simulated', 'replay:x.gz'].map(feedMode), ['auto', 'live', 'simulated', 'replay:x.gz'])
  for (const wrong of ['', 'Auto', 'replay', 'replay:', 'sim']) assert.throws(() => feedMode(wrong), /CANDOR_FEED/)
})
