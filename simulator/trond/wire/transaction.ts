/** Transactions: from bytes, from JSON, and what is in them. A transaction's id is the SHA-256 of its raw data. */
import { hash, nothing, toHex } from './bytes.ts'
import { typeOf } from './definitions.ts'
import { decode, decodeJson, encode, encodeJson, type Json } from './json.ts'

export type Key = { readonly address: string; readonly weight: number }

export type Permission = {
  readonly type: 'Owner' | 'Witness' | 'Active'
  readonly id: number
  readonly name: string
  readonly threshold: number
  /** Hex of 32 bytes, a bit per type of contract. */
  readonly operations: string
  readonly keys: readonly Key[]
}

export type Payload =
  | { readonly kind: 'TransferContract'; readonly owner: string; readonly to: string; readonly amount: bigint }
  | {
      readonly kind: 'TriggerSmartContract'
      readonly owner: string
      readonly contract: string
      readonly value: bigint
      readonly data: Uint8Array
    }
  | {
      readonly kind: 'CreateSmartContract'
      readonly owner: string
      readonly origin: string
      readonly code: Uint8Array
      readonly value: bigint
      /** The message `SmartContract` as it came. */
      readonly terms: Uint8Array
    }
  | {
      readonly kind: 'AccountPermissionUpdateContract'
      readonly owner: string
      readonly ownerPermission: Permission | undefined
      readonly actives: readonly Permission[]
    }

export type Transaction = {
  readonly id: string
  readonly raw: Uint8Array
  readonly signatures: readonly Uint8Array[]
  /** Length of the whole transaction on the wire. */
  readonly size: number
  readonly refBytes: string
  readonly refHash: string
  /** Milliseconds. */
  readonly expiration: number
  /** Sun. */
  readonly feeLimit: number
  readonly permissionId: number
  readonly contractCount: number
  readonly payload: Payload
}

const envelope = typeOf('Envelope')
const rawType = typeOf('Transaction.raw')

/** throws  Error when the bytes are no transaction of a supported type */
export function readTransaction(bytes: Uint8Array): Transaction {
  const { raw_data: raw = nothing, signature = [] } = decode(envelope, bytes) as {
    readonly raw_data?: Uint8Array
    readonly signature?: readonly Uint8Array[]
  }
  return transactionOf(
    new Uint8Array(raw),
    signature.map((one) => new Uint8Array(one)),
  )
}

/** The node packs `raw_data` itself. It ignores `raw_data_hex` and `txID`, as a real one does. */
export function readTransactionJson(json: Json): Transaction {
  const raw = encodeJson(rawType, json.raw_data, json.visible === true)
  const signatures = Array.isArray(json.signature) ? json.signature.map(String) : []
  return transactionOf(
    raw,
    signatures.map((text) => new Uint8Array(Buffer.from(text.replace(/^0x/, ''), 'hex'))),
  )
}

export function transactionBytes({ raw, signatures }: Pick<Transaction, 'raw' | 'signatures'>): Uint8Array {
  return encode(envelope, { raw_data: raw, signature: [...signatures] })
}

/** As `/wallet/gettransactionbyid` writes it, without `ret`. */
export function transactionJson({ raw, signatures, id }: Pick<Transaction, 'raw' | 'signatures' | 'id'>, isVisible: boolean): Json {
  return {
    ...(isVisible ? { visible: true } : {}),
    ...(signatures.length === 0 ? {} : { signature: signatures.map(toHex) }),
    txID: id,
    raw_data: decodeJson(rawType, raw, isVisible),
    raw_data_hex: toHex(raw),
  }
}

function transactionOf(raw: Uint8Array, signatures: readonly Uint8Array[]): Transaction {
  const fields = decode(rawType, raw)
  const contracts = (fields.contract ?? []) as readonly Json[]
  const [contract] = contracts
  if (contract === undefined) throw new Error('no contract in the transaction')
  const { value = nothing } = contract.parameter as { readonly value?: Uint8Array }
  return {
    id: toHex(hash(raw)),
    raw,
    signatures,
    size: transactionBytes({ raw, signatures }).length,
    refBytes: hexOf(fields.ref_block_bytes),
    refHash: hexOf(fields.ref_block_hash),
    expiration: numberOf(fields.expiration),
    feeLimit: numberOf(fields.fee_limit),
    permissionId: numberOf(contract.Permission_id),
    contractCount: contracts.length,
    payload: payloadOf(String(contract.type ?? 'AccountCreateContract'), value),
  }
}

function payloadOf(kind: string, bytes: Uint8Array): Payload {
  const fields = decode(typeOf(kind), bytes)
  const owner = hexOf(fields.owner_address)
  if (kind === 'TransferContract') return { kind, owner, to: hexOf(fields.to_address), amount: BigInt(numberOf(fields.amount)) }
  if (kind === 'TriggerSmartContract') {
    const data = (fields.data ?? nothing) as Uint8Array
    return { kind, owner, contract: hexOf(fields.contract_address), value: BigInt(numberOf(fields.call_value)), data: new Uint8Array(data) }
  }
  if (kind === 'CreateSmartContract') {
    const terms = (fields.new_contract ?? {}) as Json
    return {
      kind,
      owner,
      origin: hexOf(terms.origin_address),
      code: new Uint8Array((terms.bytecode ?? nothing) as Uint8Array),
      value: BigInt(numberOf(terms.call_value)),
      terms: encode(typeOf('SmartContract'), terms),
    }
  }
  if (kind === 'AccountPermissionUpdateContract') {
    const actives = ((fields.actives ?? []) as readonly Json[]).map(permissionOf)
    return { kind, owner, ownerPermission: fields.owner === undefined ? undefined : permissionOf(fields.owner as Json), actives }
  }
  throw new Error(`contract type ${kind} is not supported`)
}

function permissionOf(fields: Json): Permission {
  const keys = (fields.keys ?? []) as readonly Json[]
  return {
    type: (fields.type ?? 'Owner') as Permission['type'],
    id: numberOf(fields.id),
    name: String(fields.permission_name ?? ''),
    threshold: numberOf(fields.threshold),
    operations: hexOf(fields.operations),
    keys: keys.map((key) => ({ address: hexOf(key.address), weight: numberOf(key.weight) })),
  }
}

function hexOf(bytes: unknown): string {
  return bytes instanceof Uint8Array ? toHex(bytes) : ''
}

function numberOf(value: unknown): number {
  return Number(value ?? 0)
}
