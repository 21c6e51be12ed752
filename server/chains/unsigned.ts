/** Transactions between being built and being sent. */

/** A transaction before it is signed. `digest`: the 32 bytes that the key signs. */
export type Unsigned = { readonly bytes: Uint8Array; readonly digest: Uint8Array }

/** A signature of secp256k1 with the low `s`. `recovery`: 0 or 1, which of the two public keys that fit it made it. */
export type Signature = { readonly r: bigint; readonly s: bigint; readonly recovery: number }
