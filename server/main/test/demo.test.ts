import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pino from 'pino'
import sharp from 'sharp'
import { documentPhoto } from '../demo/documents.ts'
import { fillDemo } from '../demo/fill.ts'
import { demoPerson } from '../demo/people.ts'
import type { Ground } from '../roles.ts'
import { readSettings } from '../settings.ts'
import { request, startExchange, logIn, type TestExchange } from './exchange.ts'

let exchange: TestExchange
before(async () => {
  exchange = await startExchange({ seed: 'demo' })
})
after(() => exchange[Symbol.asyncDispose]())

const groundOf = ({ store, dataFolder }: TestExchange): Ground => ({
  settings: { ...readSettings({}), mode: 'sandbox', dataFolder },
  ...{ store, logger: pino({ level: 'silent' }) },
})

const states = async (): Promise<Record<string, number>> => {
  const { rows } = await exchange.store.pool.query('select state, count(*)::integer as count from papers group by state')
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}

test('USER-DEMO-001: the demonstration has customers in every state, and a second run adds only those that are missing', async () => {
  const filled = await fillDemo(groundOf(exchange), exchange.link, 10)
  assert.deepEqual(filled.counts, { new: 1, draft: 1, waiting: 4, rejected: 1, certified: 1, trading: 2, frozen: 0 })
  assert.equal(filled.hasTraded, true)
  assert.deepEqual(await states(), { draft: 1, waiting: 4, rejected: 1 })
  const again = await fillDemo(groundOf(exchange), exchange.link, 14)
  assert.deepEqual(again.counts, { new: 0, draft: 0, waiting: 2, rejected: 0, certified: 0, trading: 1, frozen: 1 })
  assert.deepEqual(await states(), { draft: 1, waiting: 6, rejected: 1 })
  const frozen = await exchange.store.pool.query('select a.email, f.cause from freezes f join accounts a on a.id = f.account')
  assert.deepEqual(frozen.rows, [{ email: demoPerson(11).email, cause: 'owner' }])

  const cookie = await logIn(exchange.url, demoPerson(1).email, filled.password)
  const account = await request(exchange.url, 'GET', '/perp/account', undefined, cookie)
  assert.equal(account.body.positions.length, 1, JSON.stringify(account.body))
  const open = await request(exchange.url, 'GET', '/spot/orders/open', undefined, cookie)
  assert.equal(open.body.orders.length, 1)
  const log = await exchange.store.pool.query('select distinct staff, device from staff_log')
  assert.deepEqual(log.rows, [{ staff: null, device: 'candor' }], 'nobody of the staff is said to have decided')
})

test('USER-DEMO-002: its documents are told apart from real ones, and a few name one document twice', async () => {
  const people = Array.from({ length: 40 }, (_, index) => demoPerson(index))
  assert.equal(new Set(people.map(({ email }) => email)).size, 40)
  assert.equal(new Set(people.map(({ document }) => document.number)).size, 38)
  assert.ok(people.every(({ email, document }) => email.endsWith('@demo.example') && document.number!.startsWith('DEMO')))
  const { width, height, format } = await sharp(await documentPhoto(demoPerson(0), 'front')).metadata()
  assert.deepEqual([format, width! >= 600 && height! >= 600], ['jpeg', true])
})
