import { readFileSync } from 'node:fs'

export const contractNames = [
  ...(['Forwarder', 'ForwarderFactory', 'TokenProbe'] as const),
  ...(['TestToken', 'TestTokenFalse', 'TestSpam', 'TestRebasing', 'TestLying', 'TestProxy'] as const),
] as const
export type ContractName = (typeof contractNames)[number]

/** A compiled contract. */
export type Artifact = { readonly abi: readonly unknown[]; readonly bytecode: `0x${string}` }

/** What the compiler made of a contract here; a test compiles it again and compares. */
export function artifactOf(name: ContractName): Artifact {
  return JSON.parse(readFileSync(new URL(`artifacts/${name}.json`, import.meta.url), 'utf8')) as Artifact
}
