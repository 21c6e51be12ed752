/** Signatures of a transaction against the permission that it names. */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { State } from '../state/state.ts'
import { addressOfKey, fromHex } from '../wire/bytes.ts'
import { contractNumber } from '../wire/definitions.ts'
import type { Permission, Transaction } from '../wire/transaction.ts'
import { Refusal } from './refusal.ts'

const signatureBytes = 65
/** All types of contract that a new account's active permission may use. */
export const usualOperations = '7fff1fc0033efb07000000000000000000000000000000000000000000000000'

/** Recovering a key is slow, and a transaction is checked twice: when it comes and in its block. */
const known = new WeakMap<Transaction, readonly string[]>()

/**
 * throws  Refusal SIGERROR unless different keys of the permission signed with enough weight, and the permission may use this type
 *         of contract
 */
export function checkSignatures(state: State, transaction: Transaction): void {
  const { payload, permissionId, signatures } = transaction
  const permission = permissionOf(state, payload.owner, permissionId)
  if (permission === undefined) throw wrong("permission isn't exit")
  if (permission.type !== 'Active' && permissionId !== 0) throw wrong('Permission type is error')
  if (permission.type === 'Active' && !mayUse(permission, payload.kind)) throw wrong('Permission denied')
  if (signatures.length === 0) throw wrong('miss sig or contract')
  if (signatures.length > permission.keys.length) {
    throw wrong(`Signature count is ${signatures.length} more than key counts of permission : ${permission.keys.length}`)
  }
  let weight = 0
  const seen = new Set<string>()
  for (const signer of signersOf(transaction)) {
    const key = permission.keys.find(({ address }) => address === signer)
    if (key === undefined) throw wrong(`${transaction.id} is signed by ${signer} but it is not contained of permission.`)
    if (seen.has(signer)) throw wrong(`${signer} has signed twice!`)
    seen.add(signer)
    weight += key.weight
  }
  if (weight < permission.threshold) throw wrong('sig error')
}

/** The permission of an account by its number: 0 is the owner's, active ones begin at 2. */
export function permissionOf(state: State, address: string, id: number): Permission | undefined {
  const account = state.account(address)
  if (id === 0) return account?.owner ?? usualOwner(address)
  if (account?.actives === undefined) return id === 2 ? usualActive(address) : undefined
  return account.actives.find((permission) => permission.id === id)
}

export function usualOwner(address: string): Permission {
  return { type: 'Owner', id: 0, name: 'owner', threshold: 1, operations: '', keys: [{ address, weight: 1 }] }
}

export function usualActive(address: string): Permission {
  return { type: 'Active', id: 2, name: 'active', threshold: 1, operations: usualOperations, keys: [{ address, weight: 1 }] }
}

/**
 * Addresses of the keys that signed, in the order of the signatures.
 *
 * throws  Refusal SIGERROR for a signature that no key can have made
 */
export function signersOf(transaction: Transaction): readonly string[] {
  const found = known.get(transaction)
  if (found !== undefined) return found
  const signers = transaction.signatures.map((signature) => signerOf(fromHex(transaction.id), signature))
  known.set(transaction, signers)
  return signers
}

function signerOf(digest: Uint8Array, signature: Uint8Array): string {
  if (signature.length < signatureBytes) throw wrong(`Signature size is ${signature.length}`)
  const last = signature[signatureBytes - 1]
  try {
    const point = secp256k1.Signature.fromBytes(signature.slice(0, 64), 'compact')
      .addRecoveryBit(last >= 27 ? last - 27 : last)
      .recoverPublicKey(digest)
    return addressOfKey(point.toBytes(false).slice(1))
  } catch {
    throw wrong('Signature is not valid')
  }
}

function mayUse(permission: Permission, kind: string): boolean {
  const number = contractNumber(kind) ?? 0
  const byte = Number.parseInt(permission.operations.slice((number >> 3) * 2, (number >> 3) * 2 + 2), 16)
  return ((byte >> (number & 7)) & 1) === 1
}

function wrong(message: string): Refusal {
  return new Refusal('SIGERROR', `Validate signature error: ${message}`)
}
