/** Unsigned transactions that the node builds for its clients. Their reference is the solid block, so that no fork voids them. */
import type { Node } from '../chain/node.ts'
import { addressOf, fromHex, keccak, toHex } from '../wire/bytes.ts'
import { typeOf } from '../wire/definitions.ts'
import { encodeJson, type Json } from '../wire/json.ts'
import { readTransactionJson, type Transaction } from '../wire/transaction.ts'

const lifeMs = 60_000
const raw = typeOf('Transaction.raw')

/** throws  Error when a field has the wrong form */
export function build(node: Node, type: string, value: Json, terms: Json): Transaction {
  const { solid, head } = node.chain
  const rawData = {
    ref_block_bytes: solid.id.slice(12, 16),
    ref_block_hash: solid.id.slice(16, 32),
    expiration: head.time + lifeMs,
    timestamp: node.timestamp(),
    contract: [{ type, parameter: { value }, Permission_id: terms.Permission_id ?? 0 }],
    ...(terms.fee_limit === undefined ? {} : { fee_limit: terms.fee_limit }),
  }
  // Packed once to refuse wrong fields with their names, before anything is read from it.
  encodeJson(raw, rawData, terms.visible === true)
  return readTransactionJson({ raw_data: rawData, visible: terms.visible === true })
}

/** The data of a call: given as it is, or as the signature of a function and its encoded parameters. */
export function callData(body: Json): Uint8Array {
  if (typeof body.function_selector === 'string' && body.function_selector !== '') {
    const selector = keccak(new TextEncoder().encode(body.function_selector)).slice(0, 4)
    return fromHex(`${toHex(selector)}${String(body.parameter ?? '')}`)
  }
  return fromHex(String(body.data ?? ''))
}

/** throws  Error unless the field holds an address */
export function addressIn(body: Json, name: string): string {
  const address = addressOf(body[name])
  if (address === undefined) throw new Error(`INVALID ${name}`)
  return address
}
