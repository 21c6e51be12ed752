import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type AccountKind, accountKinds } from '@candor/core/protocol/account.ts'
import type { EntryReason } from '@candor/core/protocol/event/index.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { statementLines, type WireStatement, type WireStatementSums } from '@candor/core/protocol/wire/days/daily.ts'
import { locales } from '@candor/core/protocol/locales.ts'
import fc from 'fast-check'
import { type AccountDay, accountDays, dayMs } from '../../store/query/daily/account-days.ts'
import { statementFacts } from '../../store/query/daily/facts.ts'
import { statementReasons } from '../../store/query/daily/lines.ts'
import { btc, eth, markets, Scenario, usdt } from '../../store/query/test/scenario.ts'
import { type ScratchServer, startScratchServer } from '../../store/test/scratch.ts'
import { profitDays } from '../daily/profit.ts'
import { statementCsv } from '../daily/statement-csv.ts'
import { statementPdf } from '../daily/statement-pdf.ts'
import { statementOf } from '../daily/statement.ts'
import { words } from '../daily/words/words.ts'
import { textsIn } from '../daily/pdf/test/texts-in.ts'
import { presaleDays } from './presale-days.ts'

const midnight = Date.UTC(2026, 0, 15)
const hour = 3_600_000
const [btcUsdt] = markets
let server: ScratchServer
before(async () => {
  server = await startScratchServer()
})
after(() => server[Symbol.asyncDispose]())

type Reader = (user: number, day: number, today?: number) => Promise<WireStatement>

async function readerOf(world: Scenario): Promise<Reader & { readonly pool: Parameters<typeof statementFacts>[0] }> {
  const { pool } = await server.store()
  await world.write(pool)
  const read: Reader = async (user, day, today = midnight + 30 * dayMs) =>
    statementOf(new Date(day).toISOString().slice(0, 10), await statementFacts(pool, user as UserId, day, today))
  return Object.assign(read, { pool })
}

/** Exact sum of decimals, in units of 1e-18. */
const exact = (text: string): bigint => {
  const [whole = '0', part = ''] = text.split('.')
  return BigInt(whole + part.padEnd(18, '0'))
}

function assertIdentity({ coins, debts, value }: WireStatementSums): void {
  for (const { opening, lines, closing } of coins)
    assert.equal(
      statementLines.reduce((sum, line) => sum + exact(lines[line]), exact(opening)),
      exact(closing),
    )
  for (const { opening, borrowed, interest, repaid, closing } of debts)
    assert.equal(exact(opening) + exact(borrowed) + exact(interest) - exact(repaid), exact(closing))
  if (value === null) return
  const { opening, net, transfers, profit, closing, fees, funding, interest, trading } = value
  assert.equal(exact(opening) + exact(net) + exact(transfers) + exact(profit), exact(closing))
  assert.equal(exact(fees) + exact(funding) + exact(interest) + exact(trading), exact(profit))
}

const move = fc.record({
  afterMs: fc.integer({ min: 0, max: 9 * hour }),
  user: fc.integer({ min: 1, max: 6 }),
  kind: fc.constantFrom(...accountKinds),
  asset: fc.constantFrom(usdt, btc, eth),
  reason: fc.constantFrom<EntryReason>(...statementReasons, 'hold', 'release'),
  amount: fc.integer({ min: -2_000_000_000, max: 2_000_000_000 }),
})

test('DAILY-STATEMENT-001: for each coin of each account, the opening balance and all lines are the closing balance, to the unit', async () => {
  const moves = fc.sample(move, { numRuns: 400, seed: 7 })
  const world = new Scenario(midnight)
  for (let user = 1; user <= 6; user++) world.open(user)
  const seller = world.place(1, btcUsdt, 'sell', 600_000, 10)
  world.trade(seller, world.place(2, btcUsdt, 'buy', 600_000, 10), 10)
  /** What each account holds at the end of each day, kept in the simplest way. */
  const kept = new Map<string, Map<number, bigint>>()
  for (const { afterMs, user, kind, asset, reason, amount } of moves) {
    world.at += afterMs
    const account = { user, kind, asset: asset.id, ...(kind === 'margin-isolated' ? { market: btcUsdt.id } : {}) }
    const isHold = reason === 'hold' || reason === 'release'
    const entry = world.entry(account, reason, isHold ? 0 : amount)
    world.command(entry)
    const key = `${user} ${kind} ${asset.symbol}`
    const days = kept.get(key) ?? new Map<number, bigint>()
    const last = [...days.values()].at(-1) ?? 0n
    kept.set(key, days.set(world.at - (world.at % dayMs), last + BigInt(isHold ? 0 : amount) * 10n ** BigInt(18 - asset.scale)))
  }
  const read = await readerOf(world)
  const last = world.at - (world.at % dayMs)
  let compared = 0
  for (let user = 3; user <= 6; user++) {
    let before: WireStatement | undefined
    for (let day = midnight; day <= last; day += 20 * dayMs) {
      const statement = await read(user, day)
      for (const sums of [...statement.accounts, statement.total]) assertIdentity(sums)
      for (const { kind, coins } of statement.accounts)
        for (const { asset, closing } of coins) {
          const days = [...(kept.get(`${user} ${kind} ${asset}`) ?? [])].filter(([at]) => at <= day)
          assert.equal(exact(closing), days.at(-1)?.[1], `${user} ${kind} ${asset}`)
          compared++
        }
      for (const { asset, closing } of statement.total.coins)
        assert.equal(
          exact(closing),
          statement.accounts.flatMap(({ coins }) => coins).reduce((sum, one) => sum + (one.asset === asset ? exact(one.closing) : 0n), 0n),
        )
      before = await read(user, day + dayMs)
      for (const { kind, coins } of before.accounts)
        for (const { asset, opening } of coins) {
          const yesterday = statement.accounts.find((one) => one.kind === kind)?.coins.find((one) => one.asset === asset)
          if (yesterday !== undefined) assert.equal(opening, yesterday.closing)
        }
    }
  }
  assert.ok(compared > 50, `${compared}`)
})

/** Yesterday Alice gets practice money and buys 0.1 BTC; today she deposits, transfers, pays funding, borrows and withdraws. */
function twoDays(): Scenario {
  const world = new Scenario(midnight - 10 * hour)
  const [alice, bob] = [world.open(1), world.open(2)]
  world.faucet(alice, usdt, 20_000_000_000)
  world.faucet(bob, btc, 100_000_000)
  const buy = world.place(alice, btcUsdt, 'buy', 600_000, 10_000)
  world.trade(buy, world.place(bob, btcUsdt, 'sell', 600_000, 10_000), 10_000)
  world.close(buy, 'filled')
  world.at = midnight + hour
  const spot = { user: 1, kind: 'lend' as AccountKind, asset: usdt.id }
  const perp = { ...spot, kind: 'perp' }
  const cross = { ...spot, kind: 'margin-cross' }
  world.command(world.entry(spot, 'deposit', 500_000_000))
  world.command(world.entry(spot, 'transfer', -100_000_000), world.entry(perp, 'transfer', 100_000_000))
  world.command(world.entry(perp, 'realised', 30_000_000), world.entry(perp, 'fee', -2_000_000), world.entry(perp, 'funding', -1_000_000))
  world.command(world.entry(spot, 'withdrawal', -49_000_000), world.entry(spot, 'withdrawal-fee', -1_000_000))
  const loan = { type: 'margin.loan', user: alice, market: 0, asset: usdt.id }
  world.command(world.entry(cross, 'borrow', 40_000_000), {
    ...loan,
    cause: 'borrow',
    delta: 40_000_000,
    principal: 40_000_000,
    interest: 0,
  })
  world.command({ ...loan, cause: 'interest', delta: 2_000, principal: 40_000_000, interest: 2_000 })
  world.command(world.entry(cross, 'repay', -10_002_000), {
    ...loan,
    ...{ cause: 'repay', delta: -10_002_000, principal: 30_000_000, interest: 0 },
  })
  const sell = world.place(bob, btcUsdt, 'sell', 610_000, 100)
  world.trade(sell, world.place(3, btcUsdt, 'buy', 610_000, 100), 100)
  return world
}

test('DAILY-STATEMENT-002: values count flows at the price before them and balances at the last prices, which are named', async () => {
  const read = await readerOf(twoDays())
  const yesterday = await read(1, midnight - dayMs)
  assert.equal(yesterday.isFinal, true)
  assert.deepEqual(
    yesterday.total.coins.map(({ asset, opening, closing }) => [asset, opening, closing]),
    [
      ['BTC', '0', '0.0999'],
      ['USDT', '0', '14000'],
    ],
  )
  assert.deepEqual(
    yesterday.total.coins.map(({ lines: { practice, trades, fees } }) => [practice, trades, fees]),
    [
      ['0', '0.1', '-0.0001'],
      ['20000', '-6000', '0'],
    ],
  )
  // The fee of 0.0001 BTC at 60,000 is the whole loss.
  const { opening, net, fees, trading, profit, closing } = yesterday.total.value!
  assert.deepEqual([opening, net, fees, trading, profit, closing], ['0', '20000', '-6', '0', '-6', '19994'])
  const minute = midnight - 10 * hour
  assert.deepEqual(yesterday.prices, [
    { asset: 'BTC', opening: null, closing: { price: '60000', minute, symbol: 'BTCUSDT', isReference: false, isPresale: false } },
  ])

  const today = await read(1, midnight)
  assert.equal(today.isFinal, false)
  for (const sums of [...today.accounts, today.total]) assertIdentity(sums)
  const of = (kind: AccountKind) => today.accounts.find((one) => one.kind === kind)!.value!
  // 0.0999 BTC at 61,000 instead of 60,000.
  assert.deepEqual([of('spot').profit, of('spot').trading], ['99.9', '99.9'])
  assert.deepEqual([of('perp').transfers, of('perp').profit, of('perp').trading], ['100', '27', '30'])
  assert.deepEqual([of('perp').fees, of('perp').funding], ['-2', '-1'])
  // What was borrowed is no profit, what it costs is a loss.
  assert.deepEqual([of('margin-cross').profit, of('margin-cross').interest], ['-0.002', '-0.002'])
  assert.deepEqual([of('lend').net, of('lend').transfers, of('lend').fees, of('lend').profit], ['451', '-100', '-1', '-1'])
  assert.deepEqual(today.accounts.find(({ kind }) => kind === 'margin-cross')!.debts, [
    { asset: 'USDT', opening: '0', borrowed: '40', interest: '0.002', repaid: '10.002', closing: '30' },
  ])
  assert.equal(today.total.value!.profit, '125.898')
  assert.equal(today.total.value!.transfers, '0')
})

test('DAILY-PROFIT-001: the profit of a day is the change of value less what came in, by account and in all, as in its statement', async () => {
  const read = await readerOf(twoDays())
  const span = { first: midnight - 2 * dayMs, last: midnight, today: midnight }
  const accounts = await accountDays(read.pool, 1 as UserId, span)
  const statements = [await read(1, midnight - dayMs), await read(1, midnight)]
  const days = profitDays(accounts, new Map(), midnight + dayMs)
  assert.deepEqual(
    days.map(({ day }) => day),
    ['2026-01-14', '2026-01-15'],
  )
  assert.deepEqual(
    days.map(({ profitUsdt, totalUsdt }) => [profitUsdt, totalUsdt]),
    statements.map(({ total }) => [total.value!.profit, total.value!.closing]),
  )
  assert.deepEqual(days[1]!.accounts, { spot: '99.9', perp: '27', margin: '-0.002', option: '0', lend: '-1' })
  // Today counts what the accounts are worth now.
  const present = new Map<AccountKind, bigint>([
    ['spot', 20_000_000_000n],
    ['lend', 350_000_000n],
  ])
  const [, running] = profitDays(accounts, present, midnight)
  assert.deepEqual(running!.accounts, { spot: '6', perp: '-100', margin: '0', option: '0', lend: '-1' })
  assert.deepEqual([running!.totalUsdt, running!.profitUsdt], ['20350', '-95'])
})

test('DAILY-STATEMENT-003: without a price a value is missing, and the amounts stay', async () => {
  const world = new Scenario(midnight)
  world.open(1)
  world.faucet(1, eth, 500_000_000)
  const read = await readerOf(world)
  const { accounts, total, prices } = await read(1, midnight)
  assert.equal(accounts[0]!.value, null)
  assert.equal(total.value, null)
  assert.deepEqual(
    total.coins.map(({ asset, closing }) => [asset, closing]),
    [['ETH', '5']],
  )
  assert.deepEqual(prices, [{ asset: 'ETH', opening: null, closing: null }])
  const span = { first: midnight - dayMs, last: midnight, today: midnight + dayMs }
  const [day] = profitDays(await accountDays(read.pool, 1 as UserId, span), new Map(), midnight + dayMs)
  assert.deepEqual([day!.profitUsdt, day!.accounts.spot, day!.accounts.perp], [null, null, '0'])
})

test('DAILY-STATEMENT-004: the profit of open Futures positions at the marks of the day is part of the value', async () => {
  const world = new Scenario(midnight - 10 * hour)
  world.command({ type: 'market.listed', market: { ...btcUsdt, id: 4, symbol: 'BTCUSDTPERP', perp: { index: 1 } } })
  world.open(1)
  world.command(world.entry({ user: 1, kind: 'perp', asset: usdt.id }, 'transfer', 5_000_000_000))
  const at = { fundingRate: 0, fundingAt: midnight, index: 6_000_000_000_000 }
  world.command({ type: 'perp.marked', market: 4, mark: 600_000, ...at })
  const shape = { side: 'both', mode: 'cross', leverage: 5, margin: 0, liquidationPrice: 0, realised: 0, fees: 0, funding: 0, openedAt: 0 }
  world.command({ type: 'perp.position', position: 9, user: 1, market: 4, lots: 10_000, cost: 6_000_000_000, ...shape })
  world.command({ type: 'perp.marked', market: 4, mark: 590_000, ...at })
  world.at = midnight + hour
  world.command({ type: 'perp.marked', market: 4, mark: 700_000, ...at })
  const read = await readerOf(world)
  const yesterday = (await read(1, midnight - dayMs, midnight)).total.value!
  assert.deepEqual([yesterday.openProfit, yesterday.profit, yesterday.closing], [{ opening: '0', closing: '-100' }, '-100', '4900'])
  const today = (await read(1, midnight, midnight)).total.value!
  assert.deepEqual([today.openProfit, today.profit], [{ opening: '-100', closing: '1000' }, '1100'])
})

test('DAILY-STATEMENT-006: a subscription is no loss, its tokens count at the presale price, and a market price ends that', async () => {
  const read = await readerOf(presaleDays(midnight))
  const span = { first: midnight - dayMs, last: midnight + dayMs, today: midnight + 30 * dayMs }
  for (const user of [1, 2]) {
    const [before, during, after] = [await read(user, midnight - dayMs), await read(user, midnight), await read(user, midnight + dayMs)]
    const pledged = user === 1 ? '300' : '400'
    assert.deepEqual(during.total.value!.pledged, { opening: '0', closing: pledged })
    assert.deepEqual(after.accounts[0]!.value!.pledged, { opening: pledged, closing: '0' })
    assert.deepEqual(
      [before, during, after].map(({ total }) => [total.value!.profit, total.value!.closing]),
      [
        ['0', '1000'],
        ['0', '1000'],
        ['0', '1000'],
      ],
    )
    for (const { accounts, total } of [during, after]) for (const sums of [...accounts, total]) assertIdentity(sums)
    const days = profitDays(await accountDays(read.pool, user as UserId, span), new Map(), span.today)
    assert.deepEqual(
      days.map(({ profitUsdt, totalUsdt }) => [profitUsdt, totalUsdt]),
      [
        ['0', '1000'],
        ['0', '1000'],
      ],
    )
    // Balances at market prices alone, as today shows them.
    const running = profitDays(
      await accountDays(read.pool, user as UserId, { ...span, last: midnight, today: midnight }),
      new Map<AccountKind, bigint>([['spot', user === 1 ? 700_000_000n : 600_000_000n]]),
      midnight,
    )
    assert.deepEqual([running[0]!.profitUsdt, running[0]!.totalUsdt], ['0', '1000'])
  }
  // The presale was decided at the first moment of the day.
  assert.deepEqual((await read(1, midnight + dayMs)).prices, [
    {
      asset: 'NEW',
      opening: null,
      closing: { price: '3', minute: midnight + dayMs, symbol: 'NEWUSDT', isReference: false, isPresale: true },
    },
  ])
  const csv = statementCsv(await read(1, midnight + dayMs))
  assert.ok(csv.includes(',presale\r\n'), csv)
  assert.ok(textsIn(statementPdf(await read(1, midnight), '1', 'en', midnight)).includes(words.en.pledged))
  assert.ok(textsIn(statementPdf(await read(1, midnight + dayMs), '1', 'en', midnight)).some((text) => text.includes(words.en.presale)))

  const later = midnight + 2 * dayMs
  await read.pool.query(`insert into candles_1m values ('NEWUSDT', $1, 4, 4, 4, 4, 1, 4, 1, false)`, [later + hour])
  const listed = await read(1, later)
  assert.deepEqual([listed.total.value!.profit, listed.total.value!.closing], ['50', '1050'])
  assert.deepEqual([listed.prices[0]!.opening!.isPresale, listed.prices[0]!.closing!.isPresale], [true, false])
  const [{ presales: left }] = (await accountDays(read.pool, 1 as UserId, { ...span, first: later, last: later })).filter(
    ({ kind }) => kind === 'spot',
  ) as [AccountDay]
  assert.equal(left, '0')
})

test('DAILY-FILE-001: the file has every coin, debt and value, and adds up like the statement', async () => {
  const read = await readerOf(twoDays())
  const statement = await read(1, midnight)
  const [head, ...rows] = statementCsv(statement)
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','))
  const named = rows.map((row) => Object.fromEntries(row.map((cell, at) => [head![at], cell])))
  const sums = [...statement.accounts, statement.total]
  assert.equal(
    rows.length,
    sums.reduce((all, { coins, debts }) => all + coins.length + debts.length + 1, 0),
  )
  for (const row of named.filter((one) => one['row'] === 'coin'))
    assert.equal(
      statementLines.reduce((sum, line) => sum + exact(row[line]!), exact(row['opening']!)),
      exact(row['closing']!),
    )
  const bitcoin = named.find((one) => one['account'] === 'all' && one['asset'] === 'BTC')!
  assert.deepEqual([bitcoin['opening_price'], bitcoin['closing_price'], bitcoin['price_market']], ['60000', '61000', 'BTCUSDT'])
  assert.equal(named.find((one) => one['account'] === 'all' && one['row'] === 'value')!['profit'], '125.898')
})

test('DAILY-FILE-005: the printed statement has the amounts and words of each language, and says that today is not final', async () => {
  const read = await readerOf(twoDays())
  const statement = await read(1, midnight)
  for (const { code, tag } of locales) {
    const texts = textsIn(statementPdf(statement, '12345678', code, midnight))
    const own = words[code]
    const amount = (value: string): string =>
      new Intl.NumberFormat(tag, { maximumFractionDigits: 18, useGrouping: 'always' } as object).format(value as unknown as number)
    for (const text of [
      own.opening,
      own.closing,
      own.debts,
      own.lines.funding,
      own.accounts['margin-cross'],
      amount('0.0999'),
      amount('-10.002'),
    ])
      assert.ok(
        texts.some((one) => one.includes(text.replace(/[\u202f]/g, '\u00a0'))),
        `${code}: ${text}`,
      )
    assert.ok(
      texts.some((one) => one.includes('12345678') && one.includes(own.notFinal)),
      code,
    )
    assert.ok(
      texts.every((one) => !one.includes('?')),
      `${code}: ${texts.find((one) => one.includes('?'))}`,
    )
  }
  const empty = textsIn(statementPdf(await read(9, midnight), '1', 'en', midnight))
  assert.ok(empty.includes(words.en.empty))
})
