/**
 * A key that somebody else keeps: a custodian, or several parties that sign together. It must give the signed transaction back before it
 * sends anything; one that can't is refused, because after a crash nobody could say what it paid.
 */
import { assembleEvm } from '../evm/build.ts'
import type { NetworkKind, Signed } from '../ports.ts'
import { assembleTron } from '../tron/build.ts'
import { Fields } from '../tron/proto.ts'
import type { Signature } from '../unsigned.ts'
import { type ChainSigner, checked } from './chain-signer.ts'
import { CustodyFault } from './reasons.ts'
import { parseTransaction } from 'viem'

export type RemoteKeeper = {
  /** The transaction, signed and not sent. `unsigned` and the answer's `raw` are hex as in `Signed`. */
  sign(request: { readonly kind: NetworkKind; readonly unsigned: string; readonly digest: string }): Promise<Signed>
}

/** `publicKey`: of the key that the keeper said it uses, 65 bytes. The signer checks that it is the one of the policy's address. */
export function remoteSigner(keeper: RemoteKeeper, kind: NetworkKind, publicKey: Uint8Array): ChainSigner {
  return {
    publicKey,
    async sign(unsigned) {
      const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
      const signed = await keeper.sign({ kind, unsigned: hex(unsigned.bytes), digest: hex(unsigned.digest) })
      const signature = checked(unsigned.digest, signatureOf(kind, signed.raw), publicKey)
      // Whatever else the keeper put into its transaction would show here.
      const own = kind === 'evm' ? assembleEvm(unsigned, signature) : assembleTron(unsigned, signature)
      if (own.raw !== signed.raw || own.txid !== signed.txid) throw new CustodyFault('The keeper signed another transaction')
      return signature
    },
    [Symbol.dispose]: () => undefined,
  }
}

function signatureOf(kind: NetworkKind, raw: string): Pick<Signature, 'r' | 's'> {
  if (kind === 'evm') {
    const { r, s } = parseTransaction(raw as `0x02${string}`)
    if (r === undefined || s === undefined) throw new CustodyFault('The keeper gave no signed transaction')
    return { r: BigInt(r), s: BigInt(s) }
  }
  const signature = new Fields(Buffer.from(raw, 'hex')).bytes(2).toString('hex')
  return { r: BigInt(`0x${signature.slice(0, 64)}`), s: BigInt(`0x${signature.slice(64, 128)}`) }
}
