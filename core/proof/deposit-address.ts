/** What the wallet service signs about a deposit address: it is this customer's on this network. */
export type DepositAddress = { readonly network: string; readonly address: string; readonly uid: string }

/** The signed text, byte by byte. No part of it contains a line break. */
export function depositAddressText({ network, address, uid }: DepositAddress): string {
  const parts = [network, address, uid]
  if (parts.some((part) => !/^[\x21-\x7e]{1,100}$/.test(part))) throw new Error('a deposit address has printable parts')
  return ['candor deposit address 1', ...parts].join('\n')
}

/**
 * Another key signs deposit addresses from now on: `to` instead of `from`, 32 bytes in hex each. Signed with the key that did so far, so
 * that a browser which knows that one needs to trust nobody else.
 */
export type WalletKeyChange = { readonly from: string; readonly to: string; readonly signature: string }

/** The signed text, byte by byte. */
export function walletKeyChangeText({ from, to }: Pick<WalletKeyChange, 'from' | 'to'>): string {
  return ['candor wallet key 1', from, to].join('\n')
}

/** The part of WebCrypto's `subtle` that is needed here, in browsers and on the server. */
export type SignatureCheck<Key> = {
  importKey(
    format: 'raw',
    key: Uint8Array<ArrayBuffer>,
    algorithm: { readonly name: 'Ed25519' },
    isExtractable: boolean,
    uses: 'verify'[],
  ): Promise<Key>
  verify(
    algorithm: { readonly name: 'Ed25519' },
    key: Key,
    signature: Uint8Array<ArrayBuffer>,
    data: Uint8Array<ArrayBuffer>,
  ): Promise<boolean>
}

/**
 * Whether the wallet service has signed the address. A browser that knows its public key needs to trust neither the API nor the
 * database.
 *
 * key        Ed25519, 32 bytes
 * signature  64 bytes
 */
export async function isDepositAddressSigned<Key>(
  subtle: SignatureCheck<Key>,
  key: Uint8Array<ArrayBuffer>,
  about: DepositAddress,
  signature: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  return isTextSigned(subtle, key, depositAddressText(about), signature)
}

/** The same of any text of the wallet service in ASCII. */
export async function isTextSigned<Key>(
  subtle: SignatureCheck<Key>,
  key: Uint8Array<ArrayBuffer>,
  text: string,
  signature: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0))
  const algorithm = { name: 'Ed25519' } as const
  const imported = await subtle.importKey('raw', key, algorithm, false, ['verify'])
  return subtle.verify(algorithm, imported, signature, bytes)
}
