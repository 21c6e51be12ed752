/** Number of an address in its network's plan, from 1. */
export type Issue = { readonly network: string; readonly place: number; readonly uid: string }
export type Issued = { readonly address: string; readonly signature: Uint8Array<ArrayBuffer> }

/**
 * Signs deposit addresses: the signer's process, over its link. It computes each address itself, so that a server that was broken into
 * can't have an address of somebody else signed as one of ours.
 */
export type WalletService = { issue(about: Issue): Promise<Issued> }
