/**
 * Checks under load that a client that applies the changes of a book as documented has the same book as a snapshot:
 *
 *   node server/programs/test/depth-proof.ts --seconds 600
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import { startExchange, type TestExchange } from '../../main/test/exchange.ts'
import { ed25519Key, Socket } from '../socket/test/socket.ts'
import { bookText, DepthClient, type Snapshot } from './depth-client.ts'
import { programOf } from './program.ts'

const price = 60_000
const spread = 60
const inFlight = 8
const openMax = 150

type Kind = {
  readonly name: 'spot' | 'futures'
  readonly api: string
  readonly streams: string
  readonly depth: string
  readonly names: readonly string[]
}
const kinds: readonly Kind[] = [
  {
    ...{ name: 'spot', api: '/ws-api/v3', streams: '/ws', depth: '/api/v3/depth?symbol=BTCUSDT&limit=5000' },
    names: ['btcusdt@depth@100ms', 'btcusdt@depth'],
  },
  {
    ...{ name: 'futures', api: '/ws-fapi/v1', streams: '/fstream/public/ws', depth: '/fapi/v1/depth?symbol=BTCUSDT&limit=1000' },
    names: ['btcusdt@depth@0ms', 'btcusdt@depth', 'btcusdt@depth@500ms'],
  },
]

/** With fewer changes or comparisons nothing is proved: a slow machine continues until it has them, for at most ten times as long. */
const [changesMin, comparedMin] = [6, 1]

/** Findings about one stream. `compared`: snapshots at whose update the client had a book. */
export type Proof = { readonly stream: string; changes: number; compared: number; readonly faults: string[]; isSameAtEnd: boolean }
export type ProofResult = { readonly orders: number; readonly streams: readonly Proof[] }

export async function proveDepth(seconds: number): Promise<ProofResult> {
  await using exchange = await startExchange({ seed: 'depth', hasFeeds: false })
  await exchange.link.submit(commandOf({ type: 'index.tick', prices: [{ market: 1, price: price * 1e8, sources: 4, isGood: true }] }))
  const traders = await Promise.all([1, 2].map(() => tradersOf(exchange)))
  let orders = 0
  let isOver = false
  const load = traders.flat().map(async (socket) => {
    orders += await trade(socket, () => isOver)
  })
  const watched = await Promise.all(kinds.flatMap((kind) => kind.names.map((name) => watch(exchange, kind, name, seconds))))
  isOver = true
  await Promise.all(load)
  const proofs = await Promise.all(watched.map((end) => end()))
  for (const { ws } of traders.flat()) ws.terminate()
  return { orders, streams: proofs }
}

async function tradersOf(exchange: TestExchange): Promise<readonly Socket[]> {
  const user = await exchange.user({ funds: { USDT: '10000000', BTC: '1000' }, isCertified: true, class: 'bench' })
  const program = await programOf(exchange.url, user)
  await program.done('POST', '/sapi/v1/asset/transfer', { type: 'MAIN_UMFUTURE', asset: 'USDT', amount: '5000000' })
  const key = await ed25519Key(user)
  return Promise.all(
    kinds.map(async (kind) => {
      const socket = await Socket.open(exchange, `${kind.api}?returnRateLimits=false`)
      await socket.done('session.logon', key.sign({}))
      return socket
    }),
  )
}

/** Places orders on both sides, some of which trade, and cancels others, many at once. Resolves to the count of accepted requests. */
async function trade(socket: Socket, isOver: () => boolean): Promise<number> {
  const open: number[] = []
  const waiting = new Map<string, (answer: any) => void>()
  let [n, done] = [0, 0]
  socket.ws.removeAllListeners('message')
  socket.ws.on('message', (data) => {
    const answer = JSON.parse(String(data))
    waiting.get(answer.id)?.(answer)
    waiting.delete(answer.id)
  })
  const ask = (method: string, params: object): Promise<any> => {
    const id = String(++n)
    return new Promise((resolve) => {
      waiting.set(id, resolve)
      socket.send({ id, method, params: { symbol: 'BTCUSDT', ...params, timestamp: Date.now() } })
    })
  }
  const lane = async (): Promise<void> => {
    while (!isOver()) {
      if (open.length > openMax || (open.length > 20 && Math.random() < 0.4)) {
        const [orderId] = open.splice(Math.floor(Math.random() * open.length), 1)
        await ask('order.cancel', { orderId })
      } else {
        const side = Math.random() < 0.5 ? 'BUY' : 'SELL'
        const away = Math.floor(Math.random() * spread) - 3
        const at = price + (side === 'BUY' ? -away : away)
        const more = { type: 'LIMIT', timeInForce: 'GTC', quantity: (1 + Math.floor(Math.random() * 20)) / 1_000 }
        const { status, result } = await ask('order.place', { side, price: at, ...more, newOrderRespType: 'RESULT' })
        if (status !== 200) continue
        done++
        if (result.status === 'NEW' || result.status === 'PARTIALLY_FILLED') open.push(result.orderId)
      }
    }
  }
  await Promise.all(Array.from({ length: inFlight }, lane))
  return done
}

/** Compares under load. Resolves to a function that ends the watch and checks that without load both have the same book. */
async function watch(exchange: TestExchange, kind: Kind, name: string, seconds: number): Promise<() => Promise<Proof>> {
  const snapshot = async (): Promise<Snapshot> => (await fetch(exchange.url + kind.depth)).json() as Promise<Snapshot>
  const client = new DepthClient(exchange.url.replace('http', 'ws') + kind.streams, name, kind.name === 'futures')
  await client.open()
  while (!client.hasHeard) await sleep(10)
  client.begin(await snapshot())
  const proof: Proof = { stream: `${kind.name} ${name}`, changes: 0, compared: 0, faults: client.faults, isSameAtEnd: false }
  const shown: Snapshot[] = []
  const compare = (): void => {
    for (const { lastUpdateId, bids, asks } of shown.splice(0)) {
      const own = client.at(lastUpdateId)
      if (own === undefined) continue
      proof.compared++
      if (own !== bookText(bids, asks)) client.faults.push(`${proof.stream}: the book differs from the snapshot at ${lastUpdateId}`)
    }
  }
  const begun = performance.now()
  const isEnough = (): boolean => client.changes >= changesMin && proof.compared >= comparedMin
  for (let ran = 0; ran < seconds || (!isEnough() && ran < 10 * seconds); ran = (performance.now() - begun) / 1_000) {
    for (let i = 0; i < 20; i++) {
      shown.push(await snapshot())
      await sleep(20)
    }
    await sleep(1_100)
    compare()
  }
  return async () => {
    const last = await snapshot()
    for (let i = 0; i < 3_000 && client.update < last.lastUpdateId; i++) await sleep(10)
    proof.isSameAtEnd = client.update === last.lastUpdateId && client.at(last.lastUpdateId) === bookText(last.bids, last.asks)
    proof.changes = client.changes
    client.close()
    return proof
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' } } })
  const { orders, streams } = await proveDepth(Number(values.seconds))
  console.log(`${orders} orders`)
  for (const { stream, changes, compared, faults, isSameAtEnd } of streams) {
    console.log(`${stream}: ${changes} changes, ${compared} snapshots compared, the same at the end: ${isSameAtEnd}`)
    for (const fault of faults.slice(0, 10)) console.log(`  ${fault}`)
  }
  process.exitCode = streams.every(({ faults, isSameAtEnd, compared }) => faults.length === 0 && isSameAtEnd && compared > 0) ? 0 : 1
}
