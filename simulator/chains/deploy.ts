/** Puts test tokens on test chains. They behave like USDT: on Ethereum `transfer` returns nothing, on TRON it returns false. */
import { readFileSync } from 'node:fs'

export type TokenName = 'TestToken' | 'TestTokenFalse'
export type Artifact = { readonly abi: readonly unknown[]; readonly bytecode: `0x${string}` }

const folder = new URL('../../server/chains/contracts/artifacts/', import.meta.url)

/** The compiled contract. Its constructor takes the number of decimals. */
export function artifactOf(name: TokenName): Artifact {
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as Artifact
}
