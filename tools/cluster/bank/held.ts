import { setTimeout as sleep } from 'node:timers/promises'
import type { Fields, Program } from './program.ts'
import type { Balances, Held, HeldOrder, HeldTrade, HeldTransfer } from './record.ts'

/** Where a customer's lists ended when the bank began to count. */
export type Begin = { readonly order: number; readonly trade: number; readonly transfer: number; readonly balances: Balances }

type Row = Readonly<Record<string, unknown>>

const symbol = 'BTCUSDT'
const pageSize = 1_000
const transferPage = 100
const askMs = 10_000
const triesMax = 60
const pauseMs = 500
const transferTypes = ['MAIN_UMFUTURE', 'UMFUTURE_MAIN'] as const

/** Read while the customer waits for nothing. */
export async function beginOf(program: Program): Promise<Begin> {
  const transfers = await transfersSince(program, 0)
  const orders = await ordersFrom(program, 0)
  const trades = await tradesFrom(program, 0)
  return {
    order: Math.max(0, ...orders.map(({ number }) => number)),
    trade: Math.max(-1, ...trades.map(({ id }) => id)),
    transfer: Math.max(0, ...transfers.map(({ number }) => number)),
    balances: await balancesOf(program),
  }
}

/** What the exchange lists of a customer since then. */
export async function heldOf(customer: number, program: Program, begin: Begin): Promise<Held> {
  const orders = (await ordersFrom(program, begin.order + 1)).filter(({ number }) => number > begin.order)
  const trades = (await tradesFrom(program, begin.trade + 1)).map(({ trade }) => trade)
  const transfers = await transfersSince(program, begin.transfer)
  return { customer, orders, trades, transfers, before: begin.balances, after: await balancesOf(program) }
}

async function ordersFrom(program: Program, first: number): Promise<readonly HeldOrder[]> {
  const rows = await pages(program, '/api/v3/allOrders', first, (row) => Number(row['orderId']), 'orderId')
  return rows.map((row) => ({
    id: String(row['clientOrderId']),
    number: Number(row['orderId']),
    side: String(row['side']),
    price: String(row['price']),
    quantity: String(row['origQty']),
    filled: String(row['executedQty']),
    status: String(row['status']),
  }))
}

async function tradesFrom(program: Program, first: number): Promise<readonly { readonly id: number; readonly trade: HeldTrade }[]> {
  const rows = await pages(program, '/api/v3/myTrades', first, (row) => Number(row['id']), 'fromId')
  return rows.map((row) => ({
    id: Number(row['id']),
    trade: {
      order: Number(row['orderId']),
      isBuyer: row['isBuyer'] === true,
      quantity: String(row['qty']),
      value: String(row['quoteQty']),
      fee: String(row['commission']),
      feeAsset: String(row['commissionAsset']),
    },
  }))
}

/** A list that is read upwards by its numbers. An order with oneself is there twice with one number. */
async function pages(program: Program, path: string, first: number, numberOf: (row: Row) => number, from: string): Promise<readonly Row[]> {
  const all: Row[] = []
  for (let next = first; ; ) {
    const rows = (await read(program, path, { symbol, [from]: next, limit: pageSize })) as readonly Row[]
    all.push(...rows)
    if (rows.length < pageSize) return all
    next = Math.max(...rows.map(numberOf)) + 1
  }
}

/** Newest first, until those that were there before. */
async function transfersSince(program: Program, last: number): Promise<readonly HeldTransfer[]> {
  const all: HeldTransfer[] = []
  for (const type of transferTypes) {
    for (let current = 1; ; current++) {
      const { rows } = (await read(program, '/sapi/v1/asset/transfer', { type, size: transferPage, current })) as { rows: readonly Row[] }
      const found = rows.map((row) => ({ number: Number(row['tranId']), type, amount: String(row['amount']) }))
      all.push(...found.filter(({ number }) => number > last))
      if (rows.length < transferPage || found.some(({ number }) => number <= last)) break
    }
  }
  return all
}

async function balancesOf(program: Program): Promise<Balances> {
  const { balances } = (await read(program, '/api/v3/account', {})) as {
    balances: readonly { asset: string; free: string; locked: string }[]
  }
  const wanted = balances.filter(({ asset }) => asset === 'USDT' || asset === 'BTC')
  return Object.fromEntries(wanted.map(({ asset, free, locked }) => [asset, sumOf(free, locked)]))
}

/** Both have the places of their asset. */
function sumOf(free: string, locked: string): string {
  const places = Math.max(free.split('.')[1]?.length ?? 0, locked.split('.')[1]?.length ?? 0)
  const units = (text: string): bigint => {
    const [whole, rest = ''] = text.split('.')
    return BigInt(`${whole}${rest.padEnd(places, '0')}`)
  }
  const digits = (units(free) + units(locked)).toString().padStart(places + 1, '0')
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
}

/** Reads may meet limits, or an exchange that is just coming back. */
async function read(program: Program, path: string, fields: Fields): Promise<unknown> {
  let said = ''
  for (let tries = 0; tries < triesMax; tries++) {
    try {
      const { status, body } = await program.ask('GET', path, fields, askMs)
      if (status === 200 && body !== undefined) return body
      said = `${status} ${JSON.stringify(body)}`
    } catch (cause) {
      said = (cause as Error).message
    }
    program.turn()
    await sleep(pauseMs)
  }
  throw new Error(`GET ${path} can’t be read: ${said}`)
}
