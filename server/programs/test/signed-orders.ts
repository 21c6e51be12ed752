import assert from 'node:assert/strict'
import type { Caller, Desk } from './signed-load.ts'

/** Sums are counted in units of 1e-8, as many digits as any price or quantity has. */
export const unit = 100_000_000n

/** A decimal at 1e-8, exactly. */
export function exact(text: string): bigint {
  const [whole = '0', part = ''] = text.replace('-', '').split('.')
  assert.ok(part.length <= 8, text)
  const value = BigInt(whole) * unit + BigInt(part.padEnd(8, '0'))
  return text.startsWith('-') ? -value : value
}

/** A whole list, oldest first, read page by page, each from the number after the last one. */
export async function paged(read: (from: number) => Promise<any[]>, key: string): Promise<any[]> {
  const all: any[] = []
  for (let from = 1; ; from = all.at(-1)[key] + 1) {
    const page = await read(from)
    all.push(...page)
    if (page.length < 1000) return all
  }
}

type Terms = { readonly price?: unknown; readonly quantity?: unknown }

/**
 * Each acknowledged order of a desk is in its list once, with the price and quantity of its placing or last amendment; cancelled
 * orders are cancelled, with the executed quantity of the answer, and no others are; refused orders are not there.
 */
export function verifyOrders({ told, refused, unsure }: Caller, desk: Desk, orders: readonly any[]): void {
  const byId = new Map<string, any>()
  for (const order of orders) {
    assert.ok(!byId.has(order.clientOrderId), `order ${order.clientOrderId} is there twice`)
    byId.set(order.clientOrderId, order)
  }
  const cancelled = new Set<string>()
  const terms = new Map<string, Terms>()
  for (const { sent, number, executed } of told) {
    const { kind, about, fields } = sent
    if (sent.desk !== desk || kind === 'transfer') continue
    const order = byId.get(about)
    assert.ok(order, `${kind} of ${about} was acknowledged, and the order is not there`)
    if (number !== undefined) assert.equal(order.orderId, number, `${kind} of ${about} was acknowledged as ${number}`)
    if (kind !== 'cancel') terms.set(about, fields)
    else {
      cancelled.add(about)
      assert.deepEqual([order.status, order.executedQty], ['CANCELED', executed], `the cancel of ${about} was acknowledged`)
    }
  }
  for (const { kind, desk: own, about } of refused) {
    if (kind === 'order' && own === desk) assert.ok(!byId.has(about), `order ${about} was refused and is there`)
  }
  assert.equal(orders.length, terms.size, 'an order that was never answered')

  const maybe = Map.groupBy(
    unsure.filter((sent) => sent.desk === desk),
    ({ about }) => about,
  )
  for (const order of orders) {
    const { clientOrderId: id, status } = order
    const open = maybe.get(id) ?? []
    if (!open.some(({ kind }) => kind === 'cancel')) assert.equal(status === 'CANCELED', cancelled.has(id), `${id} is ${status}`)
    const possible = [terms.get(id) as Terms, ...open.flatMap(({ kind, fields }) => (kind === 'amend' ? [fields] : []))]
    assert.ok(
      possible.some((one) => isAs(order, one)),
      `${id} is ${order.origQty} at ${order.price}, and was told to be ${JSON.stringify(possible)}`,
    )
  }
}

const isAs = (order: any, { price, quantity }: Terms): boolean =>
  exact(order.origQty) === exact(String(quantity)) && (price === undefined || exact(order.price) === exact(String(price)))
