import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startExchange } from '../../main/test/exchange.ts'
import { OtlpExporter } from '../../watch/otlp.ts'
import { topics } from '../topics.ts'

type Span = {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string; readonly intValue?: string } }[]
}

/** A collector on loopback that keeps what it is sent. */
async function collector() {
  const spans: Span[] = []
  const paths = new Set<string>()
  const server = createServer((request, response) => {
    paths.add(`${request.method} ${request.url} ${request.headers['content-type']}`)
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { resourceSpans } = JSON.parse(Buffer.concat(parts).toString())
      for (const { scopeSpans } of resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans)
      response.end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, spans, paths, [Symbol.asyncDispose]: async () => void (await new Promise((resolve) => server.close(resolve))) }
}

test('WATCH-TRACE-001: a traced order has spans of the request, its command, the decision, the commit and the answer', async () => {
  await using heard = await collector()
  await using exchange = await startExchange({ seed: 'traces', settings: { traces: heard.url } })
  const alice = await exchange.user({ funds: { USDT: '100' } })
  const order = { clientId: 'large', symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '61234.5', quantity: '1' }
  await alice.call('POST', '/spot/orders', order)
  const isRoot = ({ name }: Span) => name === 'POST /app/v1/spot/orders'
  for (let tries = 0; tries < 500 && !heard.spans.some(isRoot); tries++) await sleep(20)
  const request = heard.spans.find(isRoot)!
  assert.deepEqual([...heard.paths], ['POST /v1/traces application/json'])
  const of = heard.spans.filter(({ traceId }) => traceId === request.traceId)
  const named = (name: string) => of.find((span) => span.name === name)!
  const [command, decide, commit, answer] = ['command', 'decide', 'commit', 'answer'].map(named) as [Span, Span, Span, Span]
  assert.deepEqual(
    [request, command, decide, commit, answer].map(({ parentSpanId }) => parentSpanId),
    [undefined, request.spanId, command.spanId, command.spanId, request.spanId],
  )
  assert.equal(request.kind, 2)
  const valueOf = (span: Span, key: string) => Object.values(span.attributes.find((one) => one.key === key)!.value)[0]
  assert.equal(valueOf(request, 'http.route'), '/app/v1/spot/orders')
  assert.equal(valueOf(command, 'candor.command'), 'spot.place')
  const seq = Number(valueOf(command, 'candor.seq'))
  assert.ok(Number(valueOf(commit, 'candor.batch.first')) <= seq && seq <= Number(valueOf(commit, 'candor.batch.last')))
  // Each follows the one before.
  const times = [decide.startTimeUnixNano, commit.startTimeUnixNano, answer.startTimeUnixNano, answer.endTimeUnixNano].map(BigInt)
  assert.deepEqual(
    times,
    times.toSorted((one, other) => Number(one - other)),
  )
  // Times have all kinds of digits.
  const told = JSON.stringify(of.map(({ name, attributes }) => [name, attributes]))
  for (const secret of [alice.email, alice.uid, '61234.5']) assert.ok(!told.includes(secret), secret)
})

test('WATCH-TRACE-002: without the setting nothing is traced: the engine tells nobody when batches are written', async () => {
  await using exchange = await startExchange({ seed: 'untraced' })
  let told = 0
  exchange.link.onPublished(topics.commits, () => told++)
  await exchange.user({ funds: { USDT: '100' } })
  assert.equal(told, 0)
})

test('WATCH-TRACE-003: spans for a collector that is away wait in a bounded queue, and the rest are dropped and counted', async () => {
  let faults = 0
  const exporter = new OtlpExporter({ url: 'http://127.0.0.1:9/', service: 'test', version: '1', onFault: () => faults++ })
  const span = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), name: 'x', fromMs: 1, toMs: 2, attributes: {} }
  for (let n = 0; n < 30_000; n++) exporter.add([span])
  assert.equal(exporter.dropped, 10_000)
  await exporter[Symbol.asyncDispose]()
  assert.ok(faults >= 1)
  assert.ok(exporter.dropped >= 12_000)
})

test('WATCH-TRACE-004: the log tells once that the collector fails, however long it does', async () => {
  let faults = 0
  await using exporter = new OtlpExporter({ url: 'http://127.0.0.1:9/', service: 'test', version: '1', onFault: () => faults++ })
  const span = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), name: 'x', fromMs: 1, toMs: 2, attributes: {} }
  for (let n = 0; n < 10_000; n++) exporter.add([span])
  // Three requests that failed.
  for (let tries = 0; tries < 3_000 && exporter.dropped < 6_000; tries++) await sleep(10)
  assert.ok(exporter.dropped >= 6_000)
  assert.equal(faults, 1)
})
