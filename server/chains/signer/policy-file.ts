/** How the owner of the keys makes a policy: a draft to fill in, and the signature once it is right. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parsePolicy, policyName, policySignatureName } from './policy.ts'
import { CustodyFault } from './reasons.ts'
import { type Lock, readSealed } from './sealed.ts'
import { ed25519Private, policyDigest, signDigest } from './statement.ts'

/** The draft that the ceremony leaves. */
export const draftName = 'policy.draft.json'
/** File with the key that signs policies. It belongs off the signer's machine. */
export const policyKeyName = 'policy-key.json'

type ByNetwork = Readonly<Record<string, string>>
type Known = { readonly hot: ByNetwork; readonly gas: ByNetwork; readonly deposit: ByNetwork }

/** Everything in angle brackets is filled in by hand, so that nobody signs a draft unread. */
export function draftPolicy({ hot, gas, deposit }: Known): string {
  const caps = { payment: 1_000_000, hour: 5_000_000, day: 20_000_000 }
  const network = (name: string, kind: string, chainId: number, usdt: string, fees: object) => ({
    ...{ name, kind, chainId, from: hot[name] },
    tokens: [{ asset: 'USDT', contract: usdt, decimals: 6, cents: 105 }],
    denied: [],
    deposits: kind === 'evm' ? { factory: '<address of the factory of forwarders>' } : { xpub: deposit[name] },
    ...{ sink: '<address that takes what customers sent>', gas: gas[name] },
    ...{ ...fees, caps },
  })
  const draft = {
    version: 1,
    engine: '<public key of the engine>',
    reconciliation: '<public key of the reconciliation>',
    login: '<public key of the login>',
    operators: [
      { name: '<first operator>', keys: [{ kind: 'passkey', id: '<id>', publicKey: '<public key>' }] },
      { name: '<second operator>', keys: [{ kind: 'passkey', id: '<id>', publicKey: '<public key>' }] },
    ],
    passkeys: { rpId: '<domain of the exchange>', origins: ['<https://domain of the exchange>'] },
    networks: [
      network('ethereum', 'evm', 1, '0xdAC17F958D2ee523a2206206994597C13D831ec7', {
        feeMax: '20000000000000000',
        feeDay: '1000000000000000000',
        ...{ sweepFeeMax: '200000000000000000', sweepFeeDay: '1000000000000000000' },
      }),
      network('tron', 'tron', 728_126_428, 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', {
        ...{ feeMax: '50000000', feeDay: '5000000000', sweepFeeMax: '50000000', sweepFeeDay: '5000000000' },
        ...{ fuelMax: '50000000', fuelDay: '5000000000' },
      }),
    ],
    caps: { hour: 8_000_000, day: 30_000_000, userDay: 5_000_000 },
    approvalAbove: 500_000,
    attested: { payment: 100_000, userDay: 200_000, day: 2_000_000 },
  }
  return `${JSON.stringify(draft, undefined, 2)}\n`
}

/**
 * Signs `policy.json` of a folder with the owner's key file.
 *
 * returns  the number of the policy
 * throws   CustodyFault when the policy contradicts itself, or the key does not open
 */
export async function signPolicy(folder: string, keyFile: string, lock: Lock): Promise<number> {
  const text = readFileSync(join(folder, policyName), 'utf8')
  const version = versionOf(text)
  const { secret } = await readSealed(keyFile, { what: 'policy' }, lock)
  const path = join(folder, policySignatureName)
  writeFileSync(`${path}.new`, `${signDigest(ed25519Private(secret), policyDigest(text))}\n`)
  renameSync(`${path}.new`, path)
  secret.fill(0)
  return version
}

function versionOf(text: string): number {
  try {
    return parsePolicy(text).version
  } catch (cause) {
    throw new CustodyFault(`The policy is not complete: ${cause instanceof Error ? cause.message : ''}`, { cause })
  }
}
