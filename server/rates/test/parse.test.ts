import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mayReplace, parseRates, perDollar, type ReferenceRates } from '../parse.ts'
import { shippedRates } from '../shipped.ts'
import { isRatesSource, ratesUrlOf } from '../source.ts'
import { fileOf } from './file.ts'

const usual = { USD: '1.2500', JPY: '150', GBP: '0.8', CHF: '0.95', CNY: '8', HKD: '9.75' }
const day = (date: string, rates: Readonly<Record<string, string>>): ReferenceRates => ({ date, perEuro: new Map(Object.entries(rates)) })

test('RATES-FILE-001: the daily file gives its day and each currency once', () => {
  const rates = parseRates(fileOf('2026-04-13', usual))
  assert.deepEqual([rates.date, Object.fromEntries(rates.perEuro)], ['2026-04-13', usual])
  assert.deepEqual(parseRates(fileOf('2026-04-13', usual).replaceAll("'", '"')), rates)
})

test('RATES-FILE-002: anything else is refused', () => {
  const file = fileOf('2026-04-13', usual)
  const { HKD: _hkd, ...some } = usual
  const wrong = [
    ...['', '<html></html>', 'null', file.slice(0, file.indexOf('HKD')), fileOf('2026-04-13', some), fileOf('2026-02-30', usual)],
    ...[file.replace("time='2026-04-13'", ''), file.replace('2026-04-13', '2026-4-13'), fileOf('2026-04-13', { ...usual, USD: '-1' })],
    ...[
      fileOf('2026-04-13', { ...usual, USD: '0.0000' }),
      fileOf('2026-04-13', { ...usual, USD: '1e3' }),
      fileOf('2026-04-13', { ...usual, usd: '1' }),
    ],
    ...[fileOf('2026-04-13', { ...usual, USD: 'N/A' }), fileOf('2026-04-13', { ...usual, USD: '1234567890123' }), file + file],
    ...[
      `<!DOCTYPE x [<!ENTITY a "1">]>${file}`,
      file.replace('</Cube>', "<Cube currency='USD' rate='1'/></Cube>"),
      file + ' '.repeat(70_000),
    ],
  ]
  for (const text of wrong) assert.throws(() => parseRates(text), { name: 'RatesFault' }, text.slice(0, 300))
})

test('RATES-CHANGE-001: only a newer day replaces the last, none that is to come, and no rate may have jumped', () => {
  const now = Date.parse('2026-04-14T15:00:00Z')
  const last = day('2026-04-13', usual)
  assert.equal(mayReplace(day('2026-04-14', { ...usual, USD: '1.3750' }), last, now), true)
  for (const date of ['2026-04-13', '2026-04-12']) assert.equal(mayReplace(day(date, usual), last, now), false)
  assert.throws(() => mayReplace(day('2026-04-16', usual), last, now), { name: 'RatesFault' })
  for (const USD of ['1.3813', '1.1187', '12.5', '0.125'])
    assert.throws(() => mayReplace(day('2026-04-14', { ...usual, USD }), last, now), /USD went from 1.2500/, USD)
  // Each day between allows half a percent more, at most half.
  assert.equal(mayReplace(day('2026-05-13', { ...usual, USD: '1.56' }), last, now + 30 * 86_400_000), true)
  assert.throws(() => mayReplace(day('2027-05-13', { ...usual, USD: '1.9' }), last, now + 400 * 86_400_000), { name: 'RatesFault' })
  assert.equal(mayReplace(day('2026-04-14', { ...usual, NEW: '5' }), last, now), true)
})

test('RATES-DOLLAR-001: rates for a dollar are crossed over the euro, rounded down at the tenth digit', () => {
  const rates = Object.fromEntries(
    perDollar(day('2026-04-13', { ...usual, JPY: '187.654321' })).map(({ currency, rate }) => [currency, rate]),
  )
  assert.deepEqual(rates, { CHF: '0.76', CNY: '6.4', EUR: '0.8', GBP: '0.64', HKD: '7.8', JPY: '150.1234568', USD: '1' })
  const third = perDollar(day('2026-04-13', { ...usual, USD: '3' })).find(({ currency }) => currency === 'EUR')
  assert.equal(third?.rate, '0.3333333333')
})

test('RATES-SHIPPED-001: the rates of this version are whole, and can be replaced', () => {
  assert.equal(perDollar(shippedRates).length, 30)
  const file = fileOf('2026-04-14', Object.fromEntries(shippedRates.perEuro))
  assert.equal(mayReplace(parseRates(file), shippedRates, Date.parse('2026-04-14')), true)
})

test('RATES-SOURCE-001: the source is an https address, one on this machine, or off; by default the European Central Bank with a feed from outside', () => {
  for (const good of ['off', 'https://rates.example/daily.xml', 'http://127.0.0.1:8080/x', 'http://localhost/x'])
    assert.ok(isRatesSource(good), good)
  for (const bad of ['on', 'http://rates.example/x', 'file:///etc/passwd', 'https://a:b@rates.example/', ''])
    assert.ok(!isRatesSource(bad), bad)
  assert.match(ratesUrlOf(undefined, 'auto') ?? '', /^https:\/\/www\.ecb\.europa\.eu\//)
  for (const feed of ['simulated', 'replay:x']) assert.equal(ratesUrlOf(undefined, feed), undefined)
  assert.equal(ratesUrlOf('off', 'live'), undefined)
  assert.equal(ratesUrlOf('https://rates.example/', 'simulated'), 'https://rates.example/')
})
