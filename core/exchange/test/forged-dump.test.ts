/** Dumps come from files of strangers too: see the auditor's copy. Whatever they say, reading them ends soon. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { gunzipSync } from 'node:zlib'
import { Exchange } from '../exchange.ts'
import { given } from './world.ts'

const dump = gunzipSync(readFileSync(new URL('./fixtures/dump-19.bin.gz', import.meta.url)))
const slots = dump.length / 8
/** Generous on a busy machine: what once had no end is stopped here, the slowest dump takes three seconds on a quiet one. */
const oneMaxMs = 60_000

/** Each of these in a slot: a count, a number or a sum that is not there, and none at all. */
const forged = [-1, 0, 1, 65, 4_096, 2 ** 31, 2 ** 40, Number.MAX_SAFE_INTEGER, 0.5, Number.NaN, Number.POSITIVE_INFINITY]

/** Reads a dump for each slot, with another value there, in a thread that can be stopped. Tells which one it is at. */
const reader = `
import { parentPort, workerData } from 'node:worker_threads'
const { Exchange } = await import(workerData.exchange)
const data = new Float64Array(new Uint8Array(workerData.dump).buffer)
for (const [at, value] of workerData.cases) {
  const before = data[at]
  data[at] = value
  parentPort.postMessage([at, value])
  try {
    const exchange = Exchange.restore(new Uint8Array(data.buffer))
    exchange.trialBalance()
    exchange.hash()
  } catch {}
  data[at] = before
}
parentPort.postMessage('end')
`

test('PROOF-COPY-006: a state in which any slot was forged is read or refused within seconds', { timeout: 600_000 }, async () => {
  // The numbers of things in the beginning and everywhere else: a prime step meets all kinds of slots.
  const cases = [...Array(100).keys(), ...Array.from({ length: Math.floor((slots - 100) / 89) }, (_, n) => 100 + n * 89)].flatMap((at, n) =>
    forged.filter((_, m) => at < 100 || (n + m) % 3 === 0).map((value) => [at, value] as const),
  )
  const workerData = { exchange: new URL('../exchange.ts', import.meta.url).href, dump, cases }
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(reader)}`), { workerData })
  let last: unknown = 'the beginning'
  try {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    let timer = setTimeout(() => undefined)
    worker.on('error', reject)
    worker.on('message', (message) => {
      clearTimeout(timer)
      if (message === 'end') return resolve()
      last = message
      timer = setTimeout(() => reject(new Error(`no end: ${String(last)}`)), oneMaxMs)
    })
    await promise
  } finally {
    await worker.terminate()
  }
  assert.deepEqual(last, cases.at(-1))
})

test('PROOF-COPY-006: a state in whose book an order is twice, or that of another market, is refused', () => {
  const world = given({ alice: { USDT: '1000' } })
  for (const price of [97, 98]) world.buy('alice', price + 1, 98).isAccepted()
  const whole = new Float64Array(new Uint8Array(world.exchange.dump()).buffer)
  const queue = whole.findIndex((value, at) => value === 2 && whole[at + 1] === 2 && whole[at + 2] === 1)
  assert.ok(queue > 0)
  const twice = whole.slice()
  twice[queue + 1] = 1
  assert.throws(() => Exchange.restore(new Uint8Array(twice.buffer)), /two queues/)
})

test('PROOF-COPY-006: a state that is cut off anywhere is refused: no list in it goes on behind its end', () => {
  const whole = new Uint8Array(dump)
  for (let length = 1; length < slots; length += length < 200 ? 1 : 61)
    assert.throws(() => Exchange.restore(whole.slice(0, length * 8)), `${length} of ${slots} slots`)
})
