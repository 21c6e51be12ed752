import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test, { after, before } from 'node:test'
import { gzipSync } from 'node:zlib'
import { PriceBoard, type Pair, type PriceKind } from '../board.ts'
import { keepLog, until } from '../test/world.ts'
import { contentsOf, ReplayPlayer } from './player.ts'
import { frames, RecordingFault } from './recording.ts'

const btc = { base: 'BTC', quote: 'USDT' }
let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'candor-replay-'))
})
after(() => rm(folder, { recursive: true }))

async function recording(name: string, lines: readonly string[]): Promise<string> {
  const path = join(folder, name)
  const text = `${lines.join('\n')}\n`
  await writeFile(path, name.endsWith('.gz') ? gzipSync(text) : text)
  return path
}

/** A Binance quote `ms` after a moment of 2024. */
const quote = (ms: number, price: number): string =>
  `${1_723_161_253_000 + ms}000000 {"stream":"btcusdt@bookTicker","data":{"u":1,"s":"BTCUSDT","b":"${price}","B":"1","a":"${price}","A":"1"}}`

/** Records every price that is put on it, with its time. */
class KeepingBoard extends PriceBoard {
  readonly put_: { readonly price: number; readonly at: number }[] = []
  override put(venue: string, pair: Pair, price: number, kind: PriceKind, nowMs: number): void {
    this.put_.push({ price: price / 100_000_000, at: nowMs })
    super.put(venue, pair, price, kind, nowMs)
  }
}

test('both formats are read, compressed or not; other lines are skipped', async () => {
  const binancePath = await recording('a.gz', ['', 'noise', quote(0, 100), '{"x":1}', quote(10, 101)])
  const coinbasePath = await recording('b.txt', [
    'wss://ws-feed.pro.coinbase.com <-> 1618677816.8434298',
    'wss://ws-feed.pro.coinbase.com <- 1618677817.020616: {"type":"subscribe","product_ids":["BTC-USD"]}',
    '1618677817.061845: {"type":"subscriptions","channels":[]}',
    '1618677817.5: {"type":"ticker","product_id":"BTC-USD","price":"5","best_bid":"4","best_ask":"6"}',
  ])
  const read = async (path: string): Promise<[string, number][]> => {
    const all: [string, number][] = []
    for await (const frame of frames(path)) all.push([frame.venue.name, frame.atMs])
    return all
  }
  assert.deepEqual(await read(binancePath), [
    ['binance', 1_723_161_253_000],
    ['binance', 1_723_161_253_010],
  ])
  assert.deepEqual(await read(coinbasePath), [
    ['coinbase', 1_618_677_817_061.845],
    ['coinbase', 1_618_677_817_500],
  ])
  assert.deepEqual((await contentsOf(coinbasePath, [{ base: 'BTC', quote: 'USD' }])).pairs, [{ base: 'BTC', quote: 'USD' }])
})

test('a file that is missing, damaged or without our markets is refused with the reason', async () => {
  const damaged = join(folder, 'damaged.gz')
  await writeFile(damaged, gzipSync(quote(0, 1)).subarray(0, 40))
  await assert.rejects(
    contentsOf(join(folder, 'missing.gz'), [btc]),
    (error) => error instanceof RecordingFault && /can't be read/.test(error.message),
  )
  await assert.rejects(contentsOf(join(folder, 'missing'), [btc]), RecordingFault)
  await assert.rejects(contentsOf(damaged, [btc]), RecordingFault)
  const other = await recording('other.gz', [quote(0, 1)])
  await assert.rejects(contentsOf(other, [{ base: 'ETH', quote: 'USDT' }]), /no price for any market/)
})

test('FEEDS-REPLAY-001: a recording plays with its own timing, repeatedly; prices continue at each restart and do not drift away', async () => {
  // The price rises by a tenth in 300 ms; a pass lasts at least a second.
  const path = await recording('rise.gz', [quote(0, 100), quote(100, 104), quote(200, 107), quote(300, 110)])
  const contents = await contentsOf(path, [btc])
  const board = new KeepingBoard()
  const startedAt = performance.now()
  await using _player = new ReplayPlayer({ path, contents, wanted: [btc], board, now: () => performance.now(), log: keepLog() })
  await until(() => board.put_.length >= 9)
  const seen = board.put_.slice(0, 9)
  for (const [index, due] of [0, 100, 200, 300, 1_000, 1_100, 1_200, 1_300, 2_000].entries()) {
    const off = seen[index].at - startedAt - due
    assert.ok(off > -15 && off < 150, `frame ${index} is off by ${off} ms`)
  }
  const prices = seen.map((each) => each.price)
  assert.deepEqual(prices.slice(0, 4), [100, 104, 107, 110], 'the first pass is the recording')
  assert.equal(prices[4], 110, 'prices continue at the restart')
  assert.ok(Math.abs(prices[5] - 104 * 1.1 ** (2 / 3)) < 1e-6)
  assert.equal(prices[7], 110, 'the scale is back to 1 at the end of the pass')
  assert.equal(prices[8], 110, 'the next restart continues like the first')
})

test('a disposed player stops in the middle of a wait', async () => {
  const path = await recording('long.gz', [quote(0, 100), quote(3_600_000, 104)])
  const board = new KeepingBoard()
  const player = new ReplayPlayer({
    path,
    contents: await contentsOf(path, [btc]),
    wanted: [btc],
    board,
    now: () => performance.now(),
    log: keepLog(),
  })
  await until(() => board.put_.length === 1)
  const startedAt = performance.now()
  await player[Symbol.asyncDispose]()
  assert.ok(performance.now() - startedAt < 500)
})

const recorded = fileURLToPath(new URL('../../../../shared/data/spot_btcusdt_20240808.gz', import.meta.url))
test(
  'the recording of Binance is recognized by its contents',
  existsSync(recorded) ? {} : { skip: 'recorded frames (../shared/data) are not here' },
  async () => {
    const contents = await contentsOf(recorded, [btc])
    assert.deepEqual(contents.pairs, [btc])
    assert.deepEqual(contents.venues, ['binance'])
    assert.equal(Math.round((contents.lastMs - contents.firstMs) / 1_000), 346)
  },
)
