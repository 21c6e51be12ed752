/** What the wallet service signs about a deposit address: it is this customer's on this network. */
export type DepositAddress = { readonly network: string; readonly address: string; readonly uid: string }

/** The signed text, byte by byte. No part of it contains a line break. */
export function depositAddressText({ network, address, uid }: DepositAddress): string {
  const parts = [network, address, uid]
  if (parts.some((part) => !/^[\x21-\x7e]{1,100}$/.test(part))) throw new Error('a deposit address has printable parts')
  return ['candor deposit address 1', ...parts].join('\n')
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
  const text = Uint8Array.from(depositAddressText(about), (letter) => letter.charCodeAt(0))
  const algorithm = { name: 'Ed25519' } as const
  const imported = await subtle.importKey('raw', key, algorithm, false, ['verify'])
  return subtle.verify(algorithm, imported, signature, text)
}
