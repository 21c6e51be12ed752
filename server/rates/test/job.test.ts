import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import type { Store } from '../../store/open.ts'
import { type ScratchServer, startScratchServer } from '../../store/test/scratch.ts'
import { RatesJob } from '../job.ts'
import { shippedRates } from '../shipped.ts'
import { lastRates } from '../stored.ts'
import { fileOf } from './file.ts'

let scratch: ScratchServer
let store: Store
let answer: RequestListener = () => undefined
/** Stands for the source. */
const source = createServer((request, response) => answer(request, response))
let url: string
before(async () => {
  scratch = await startScratchServer()
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(source.address() as AddressInfo).port}/daily.xml`
})
after(async () => {
  source.closeAllConnections()
  source.close()
  await scratch[Symbol.asyncDispose]()
})
beforeEach(async () => {
  store = await scratch.store()
})

const now = (): number => Date.parse('2026-04-20T16:00:00Z')
const job = (): RatesJob => new RatesJob({ pool: store.pool, url, now, onFault: () => undefined })
const rates = Object.fromEntries(shippedRates.perEuro)

test('RATES-JOB-001: newer rates are stored and count from then on; the same file again changes nothing', async () => {
  await using fetching = job()
  assert.equal((await lastRates(store.pool)).date, shippedRates.date)
  answer = (_, response) => response.end(fileOf('2026-04-17', { ...rates, USD: '1.1711' }))
  assert.equal(await fetching.fetchOnce(), true)
  assert.equal(await fetching.fetchOnce(), false)
  const last = await lastRates(store.pool)
  assert.deepEqual([last.date, last.perEuro.get('USD'), last.perEuro.size], ['2026-04-17', '1.1711', 29])
  answer = (_, response) => response.end(fileOf('2026-04-16', rates))
  assert.equal(await fetching.fetchOnce(), false)
  assert.equal((await lastRates(store.pool)).date, '2026-04-17')
})

test('RATES-JOB-002: without an answer, or with one that can’t be right, the rates that are there stay with their date', async () => {
  await using fetching = job()
  const bad: readonly RequestListener[] = [
    (_, response) => void response.writeHead(503).end(fileOf('2026-04-17', rates)),
    (_, response) => void response.end('<html>Maintenance</html>'),
    (_, response) => void response.end(fileOf('2026-04-17', { ...rates, JPY: '1.8675' })),
    (_, response) => void response.end(fileOf('2027-01-01', rates)),
    (_, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    (_, response) => void response.end(Buffer.from([0xff, 0xfe, 0xff])),
    (_, response) => void response.end('x'.repeat(10_000_000)),
    (request) => request.socket.destroy(),
  ]
  for (const one of bad) {
    answer = one
    await assert.rejects(fetching.fetchOnce())
    assert.deepEqual(await lastRates(store.pool), shippedRates)
  }
})
