/** An exchange in memory for tests of the bank. It may lie. Every seventh write is carried out and then not answered. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export const lies = [
  'loses an order',
  'changes an order',
  'doubles an order',
  'keeps a refused order',
  'forgets a cancel',
  'loses a transfer',
  'doubles a transfer',
  'takes money',
  'fills without a trade',
] as const
export type Lie = (typeof lies)[number]

type Order = {
  readonly orderId: number
  readonly clientOrderId: string
  readonly side: string
  readonly price: string
  readonly origQty: string
  executedQty: string
  status: string
}
type Move = { readonly tranId: number; readonly type: string; readonly amount: string }
type Book = { readonly orders: Order[]; readonly moves: Move[]; readonly answers: Map<string, object>; cents: number }
type Answer = readonly [status: number, body: object]

const [silentEvery, refusedEvery, lieAt] = [7, 11, 13]
const startCents = 100_000_000

export type Fake = AsyncDisposable & { readonly url: string; readonly silences: number }

/** Lies once for each customer, with the thirteenth request of the kind that the lie is about. */
export async function startFake(lie: Lie | undefined): Promise<Fake> {
  const books = new Map<string, Book>()
  let number = 100
  let writes = 0
  let silences = 0
  const bookOf = (key: string): Book => {
    const book = books.get(key) ?? { orders: [], moves: [], answers: new Map(), cents: startCents }
    books.set(key, book)
    return book
  }

  function answerTo(method: string, path: string, fields: URLSearchParams, book: Book): Answer {
    const field = (name: string): string => fields.get(name) ?? ''
    const from = (name: string): number => Number(field(name))
    if (method === 'GET' && path === '/api/v3/allOrders')
      return [200, book.orders.filter(({ orderId }) => orderId >= from('orderId')).slice(0, from('limit'))]
    if (method === 'GET' && path === '/api/v3/myTrades') return [200, []]
    if (method === 'GET' && path === '/api/v3/account')
      return [200, { balances: [{ asset: 'USDT', free: (book.cents / 100).toFixed(2), locked: '0.00' }] }]
    if (method === 'GET') {
      const rows = book.moves.filter(({ type }) => type === field('type')).toReversed()
      return [200, { rows: rows.slice((from('current') - 1) * from('size'), from('current') * from('size')) }]
    }
    const id = field('newClientOrderId') || field('clientTranId')
    const before = book.answers.get(id)
    if (before !== undefined) return [200, before]
    if (path !== '/api/v3/order') return move(field, id, book)
    return method === 'POST' ? place(field, id, book) : cancel(field, id, book)
  }

  function place(field: (name: string) => string, id: string, book: Book): Answer {
    const isDue = (one: Lie): boolean => lie === one && book.answers.size >= lieAt
    const order: Order = {
      ...{ orderId: ++number, clientOrderId: id, side: field('side'), executedQty: '0', status: 'NEW' },
      ...{ price: isDue('changes an order') ? '1' : field('price'), origQty: field('quantity') },
    }
    if (isDue('fills without a trade')) order.executedQty = '0.001'
    if (number % refusedEvery === 0) {
      if (lie === 'keeps a refused order') book.orders.push(order)
      return [400, { code: -2010, msg: 'refused' }]
    }
    if (!isDue('loses an order')) book.orders.push(order)
    // The second one comes when the same id is sent again.
    if (lie === 'doubles an order' && writes % silentEvery === 0) return [200, { orderId: order.orderId }]
    book.answers.set(id, { orderId: order.orderId })
    return [200, { orderId: order.orderId }]
  }

  function cancel(field: (name: string) => string, id: string, book: Book): Answer {
    const order = book.orders.find(({ clientOrderId }) => clientOrderId === field('origClientOrderId'))
    if (order === undefined) return [400, { code: -2011, msg: 'unknown' }]
    if (lie !== 'forgets a cancel') order.status = 'CANCELED'
    book.answers.set(id, { orderId: order.orderId })
    return [200, { orderId: order.orderId }]
  }

  function move(field: (name: string) => string, id: string, book: Book): Answer {
    const found: Move = { tranId: ++number, type: field('type'), amount: field('amount') }
    const cents = Math.round(Number(found.amount) * 100) * (found.type === 'MAIN_UMFUTURE' ? -1 : 1)
    const isDue = (one: Lie): boolean => lie === one && book.answers.size >= lieAt
    const times = isDue('loses a transfer') ? 0 : isDue('doubles a transfer') ? 2 : 1
    for (let time = 0; time < times; time++) {
      book.moves.push(found)
      book.cents += cents
    }
    if (isDue('takes money')) book.cents -= 1
    book.answers.set(id, { tranId: found.tranId })
    return [200, { tranId: found.tranId }]
  }

  function serve({ method = '', url = '', headers }: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(url, 'http://fake')
    if (method !== 'GET') writes++
    const [status, body] = answerTo(method, pathname, searchParams, bookOf(String(headers['x-mbx-apikey'])))
    if (method !== 'GET' && writes % silentEvery === 0) {
      silences++
      response.destroy()
      return
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

  const server = createServer(serve)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get silences() {
      return silences
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
