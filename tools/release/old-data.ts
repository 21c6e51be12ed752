/**
 * `node tools/release/old-data.ts`: makes a small data folder of this version, with a customer who has balances, orders and positions, and what the
 * exchange told that customer at last. Each release adds one to `server/main/test/fixtures`; the suite starts all of them.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { constants, zstdCompressSync } from 'node:zlib'
import { coreVersion } from '../../server/journal/row.ts'
import { startExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { openStore } from '../../server/store/open.ts'
import { root } from '../tidy/files.ts'

const bytesMax = 2 * 1024 * 1024
const paths = [
  ...['/me', '/balances', '/spot/orders/open', '/spot/orders/history', '/spot/fills', '/perp/account', '/perp/orders/open'],
  ...['/perp/orders/history', '/margin/accounts', '/lend/claims', '/option/orders/open', '/records'],
]

const folder = mkdtempSync(join(tmpdir(), 'candor-old-data-'))
const dataFolder = join(folder, 'data')
try {
  mkdirSync(dataFolder)
  const told = await live()
  await shrink()
  const name = `data-core-${coreVersion}`
  const fixtures = join(root, 'server', 'main', 'test', 'fixtures')
  const tar = execFileSync('tar', ['-cf', '-', '--owner=0', '--group=0', '--exclude=*.sock', '--exclude=./logs', '-C', dataFolder, '.'], {
    maxBuffer: 2 ** 31 - 1,
  })
  const packed = zstdCompressSync(tar, { params: { [constants.ZSTD_c_compressionLevel]: 22, [constants.ZSTD_c_windowLog]: 27 } })
  if (packed.length > bytesMax) throw new Error(`The folder takes ${packed.length} bytes, more than ${bytesMax}`)
  writeFileSync(join(fixtures, `${name}.tar.zst`), packed)
  writeFileSync(join(fixtures, `${name}.json`), `${JSON.stringify(told)}\n`)
  process.stdout.write(`${name}: ${packed.length} bytes\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Trades of two customers. Returns what one of them is told at the end. */
async function live(): Promise<Readonly<Record<string, unknown>>> {
  await using exchange = await startExchange({ seed: '7', settings: { dataFolder } })
  const funds = { USDT: '20000', BTC: '1', ETH: '5' }
  const [alice, bob] = [await exchange.user({ isCertified: true, funds }), await exchange.user({ isCertified: true, funds })]
  for (const each of [alice, bob]) {
    for (const [to, amount] of [
      ['perp', '5000'],
      ['option', '100'],
      ['margin-cross', '2000'],
    ] as const)
      await done(each, '/transfer', { clientId: `to-${to}`, asset: 'USDT', from: 'spot', to, amount })
  }
  const priceOf = async (symbol: string, share: number): Promise<string> => {
    const { tickers } = (await alice.call('GET', '/tickers')).body
    return String(Math.floor(Number(tickers.find((one: { symbol: string }) => one.symbol === symbol).index) * share))
  }
  const spot = { type: 'limit', timeInForce: 'GTC' }
  for (const [at, symbol] of ['BTCUSDT', 'ETHUSDT'].entries()) {
    const [price, perp] = [await priceOf(symbol, 1), `${symbol}PERP`]
    await done(bob, '/spot/orders', { ...spot, clientId: `s${at}`, symbol, side: 'sell', price, quantity: '0.02' })
    await done(alice, '/spot/orders', { ...spot, clientId: `s${at}`, symbol, side: 'buy', price, quantity: '0.02' })
    await done(bob, '/perp/orders', {
      clientId: `p${at}`,
      symbol: perp,
      type: 'limit',
      side: at === 0 ? 'sell' : 'buy',
      price,
      quantity: '0.02',
    })
    await done(alice, '/perp/orders', {
      clientId: `p${at}`,
      symbol: perp,
      type: 'limit',
      side: at === 0 ? 'buy' : 'sell',
      price,
      quantity: '0.02',
    })
  }
  const low = await priceOf('BTCUSDT', 0.9)
  await done(alice, '/spot/orders', { ...spot, clientId: 's3b', symbol: 'BTCUSDT', side: 'buy', price: low, quantity: '0.01' })
  await done(alice, '/spot/orders', { ...spot, clientId: 's2b', symbol: 'ETHUSDT', side: 'sell', price: '2900', quantity: '0.5' })
  await done(alice, '/perp/orders', { clientId: 'p3b', symbol: 'BTCUSDTPERP', type: 'limit', side: 'buy', price: low, quantity: '0.01' })
  await done(alice, '/lend/supply', { clientId: 'lent', asset: 'BTC', amount: '0.02' })
  const answers: Record<string, unknown> = { email: alice.email }
  // The tables follow the journal a moment later.
  while ((await exchange.link.ask.head()).seq > (await projected(exchange.store.pool))) await sleep(50)
  for (const path of paths) {
    const { status, body } = await alice.call('GET', path)
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`)
    answers[path] = body
  }
  return answers
}

async function projected(pool: { query(text: string): Promise<{ rows: readonly any[] }> }): Promise<number> {
  return (await pool.query('select seq from projection')).rows[0].seq
}

async function done(user: TestUser, path: string, body: unknown): Promise<void> {
  const { status, body: answer } = await user.call('POST', path, body)
  if (status !== 200) throw new Error(`${path} ${JSON.stringify(body)}: ${JSON.stringify(answer)}`)
}

/** After a clean stop the server needs the newest segment of its log alone; those that it keeps for later are waste here. */
async function shrink(): Promise<void> {
  let current: string
  {
    await using store = await openStore({ dataFolder })
    await store.pool.query('vacuum full')
    await store.pool.query('select pg_switch_wal()')
    await store.pool.query('checkpoint')
    current = (await store.pool.query('select pg_walfile_name(pg_current_wal_insert_lsn()) as name')).rows[0].name
  }
  const log = join(dataFolder, 'postgres', 'data', 'pg_wal')
  for (const name of readdirSync(log)) if (/^[0-9A-F]{24}$/.test(name) && name !== current) rmSync(join(log, name))
  rmSync(join(dataFolder, 'postgres', 'port'), { force: true })
}
