/** `/wallet/broadcasttransaction` and `/wallet/broadcasthex`. Their answer says only what this node thinks. */
import type { Node } from '../chain/node.ts'
import { type BroadcastCode, Refusal } from '../chain/refusal.ts'
import { fromHex, toHex } from '../wire/bytes.ts'
import type { Json } from '../wire/json.ts'
import { readTransaction, readTransactionJson, type Transaction } from '../wire/transaction.ts'
import { broadcastFaults, type FaultKind } from './faults.ts'

export async function broadcastJson(node: Node, body: Json, fault: FaultKind | undefined): Promise<Json> {
  return broadcast(node, readTransactionJson(body), body.visible === true, fault)
}

export async function broadcastHex(node: Node, body: Json, fault: FaultKind | undefined): Promise<Json> {
  const transaction = readTransaction(fromHex(String(body.transaction ?? '')))
  return { ...(await broadcast(node, transaction, true, fault)), transaction: toHex(transaction.raw) }
}

async function broadcast(node: Node, transaction: Transaction, isText: boolean, fault: FaultKind | undefined): Promise<Json> {
  const { id: txid } = transaction
  const refused = (code: BroadcastCode, text: string): Json => ({
    code,
    txid,
    message: isText ? text : toHex(new TextEncoder().encode(text)),
  })
  const effect = fault === undefined ? undefined : broadcastFaults[fault]
  if (effect?.isTaken === false && effect.code !== undefined) return refused(effect.code, effect.text)
  try {
    await node.submit(transaction)
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause
    return refused(cause.code, cause.message)
  }
  if (fault === 'lose') await node.forget(txid)
  return effect?.code === undefined ? { result: true, txid } : refused(effect.code, effect.text)
}
