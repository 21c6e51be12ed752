/** Keys in sealed files, one per role and network, and the file that ties a signer's folder together. */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { HDKey } from '@scure/bip32'
import { join } from 'node:path'
import type { NetworkKind } from '../ports.ts'
import { addressOfKey, type ChainSigner } from './chain-signer.ts'
import { CustodyFault } from './reasons.ts'
import { type Lock, readSealed, writeSealed } from './sealed.ts'

/** What keys are for. Each role has backup words of its own, so that one that leaks opens no other. */
export const roles = ['deposit', 'hot', 'gas'] as const
export type Role = (typeof roles)[number]

/** The key that writes heads to a chain has no backup words: it holds fees only, and another one takes its place. */
export type KeyPlace = { readonly folder: string; readonly role: Role | 'anchor'; readonly network: string; readonly kind: NetworkKind }

const pathOf = ({ folder, role, network }: Omit<KeyPlace, 'kind'>): string => join(folder, `${role}-${network}.json`)

/** Seals a private key of 32 bytes. Returns its address. throws  CustodyFault when the file exists */
export async function writeKey(place: KeyPlace, key: Uint8Array, lock: Lock): Promise<string> {
  const address = addressOfKey(place.kind, secp256k1.getPublicKey(key, false))
  const { role, network } = place
  await writeSealed(pathOf(place), { what: 'key', role, network, address }, key, lock)
  return address
}

/** Opens the key of an address. throws  CustodyFault when the file is of another role, network or address, or does not open */
export async function openKey(place: KeyPlace, address: string, lock: Lock): Promise<ChainSigner> {
  const { role, network, kind } = place
  const { secret } = await readSealed(pathOf(place), { what: 'key', role, network, address }, lock)
  const publicKey = secp256k1.getPublicKey(secret, false)
  if (addressOfKey(kind, publicKey) !== address) throw new CustodyFault(`The key of ${role} on ${network} is not the one of ${address}`)
  return { ...keyOf(secret), [Symbol.dispose]: () => void secret.fill(0) }
}

function keyOf(secret: Uint8Array): Omit<ChainSigner, typeof Symbol.dispose> {
  return {
    publicKey: secp256k1.getPublicKey(secret, false),
    // The nonce of the signature follows from key and digest (RFC 6979): no weak chance can reveal the key.
    async sign({ digest }) {
      const { r, s } = secp256k1.Signature.fromBytes(secp256k1.sign(digest, secret, { prehash: false }), 'compact')
      return { r, s }
    },
  }
}

/** Keys of a network's deposit addresses, by place. */
export type DepositKeys = { at(place: number): ChainSigner } & Disposable

/** Seals the account of a network's deposit addresses. */
export async function writeAccount(folder: string, network: string, account: HDKey, lock: Lock): Promise<void> {
  const label = accountLabel(network, account.publicExtendedKey)
  await writeSealed(pathOf({ folder, role: 'deposit', network }), label, Buffer.from(account.privateExtendedKey), lock)
}

/** Opens the account with this extended public key. throws  CustodyFault when the file is of another one, or does not open */
export async function openAccount(folder: string, network: string, xpub: string, lock: Lock): Promise<DepositKeys> {
  const { secret } = await readSealed(pathOf({ folder, role: 'deposit', network }), accountLabel(network, xpub), lock)
  const account = HDKey.fromExtendedKey(secret.toString())
  secret.fill(0)
  if (account.publicExtendedKey !== xpub) throw new CustodyFault(`The account of deposits on ${network} is not the one of the policy`)
  const branch = account.deriveChild(0)
  return {
    at: (place) => {
      const { privateKey } = branch.deriveChild(place)
      if (privateKey === null) throw new CustodyFault('No private key follows from the account')
      return { ...keyOf(privateKey), [Symbol.dispose]: () => void privateKey.fill(0) }
    },
    [Symbol.dispose]: () => [account, branch].forEach((each) => each.wipePrivateData()),
  }
}

const accountLabel = (network: string, account: string) => ({ what: 'account', role: 'deposit', network, account })

/**
 * The key of the journal, the seed of the key that signs deposit addresses, and the public key of the policy's owner: all sealed, so
 * that nobody puts in their own.
 */
export type Ground = { readonly journalKey: Buffer; readonly walletSeed: Buffer; readonly owner: string }

const keyLength = 32

export async function writeGround(folder: string, { journalKey, walletSeed, owner }: Ground, lock: Lock): Promise<void> {
  await writeSealed(join(folder, 'ground.json'), { what: 'ground', owner }, Buffer.concat([journalKey, walletSeed]), lock)
}

/** throws  CustodyFault when it does not open */
export async function openGround(folder: string, lock: Lock): Promise<Ground> {
  const { label, secret } = await readSealed(join(folder, 'ground.json'), { what: 'ground' }, lock)
  if (secret.length !== 2 * keyLength) throw new CustodyFault('ground.json was made by another version')
  return { journalKey: secret.subarray(0, keyLength), walletSeed: secret.subarray(keyLength), owner: label['owner'] ?? '' }
}
