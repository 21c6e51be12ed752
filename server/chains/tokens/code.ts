/** What the code of a token's contract offers, by the selectors in it. */
import { toFunctionSelector } from 'viem'
import type { Expected, TokenFinding, Trait } from './traits.ts'

/** Functions that give a trait away. */
const signatures: { readonly [Name in Trait]?: readonly string[] } = {
  rebasing: [
    ...['rebase()', 'rebase(uint256,int256)', 'rebase(int256)', 'sharesOf(address)', 'getPooledEthByShares(uint256)'],
    ...['scaledBalanceOf(address)', 'gonsForBalance(uint256)', 'rebasingCreditsPerToken()'],
  ],
  blacklist: [
    ...['isBlackListed(address)', 'isBlacklisted(address)', 'addBlackList(address)', 'blacklist(address)', 'setBlackListed(address,bool)'],
    ...['destroyBlackFunds(address)', 'freeze(address)', 'isFrozen(address)', 'wipeFrozenAddress(address)'],
  ],
  pausable: ['pause()', 'paused()', 'setPaused(bool)', 'stop()'],
  'fee-switch': ['setParams(uint256,uint256)', 'basisPointsRate()', 'setFeeRate(uint256)', 'setTaxFeePercent(uint256)'],
  upgradable: ['deprecate(address)', 'upgradedAddress()'],
}

const known = Object.entries(signatures).map(
  ([trait, names]) => [trait as Trait, names.map((name) => ({ name, push: `63${toFunctionSelector(name).slice(2)}` }))] as const,
)

/** Traits by the functions that the code compares calls with. `code`: hex of all code that runs. */
export function traitsOfCode(code: string): readonly TokenFinding[] {
  const text = code.toLowerCase()
  return known.flatMap(([trait, functions]) => {
    const found = functions.filter(({ push }) => text.includes(push)).map(({ name }) => name)
    return found.length === 0 ? [] : [{ trait, detail: found.join(', ') }]
  })
}

/** The contract behind a minimal proxy (EIP-1167); undefined for other code. */
export function cloned(code: string): string | undefined {
  return /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3/i.exec(code)?.[1]
}

/** What a terminal and a page can show in a line; no letters that turn the direction of others. */
const printable = /^[\p{L}\p{N}\p{P}\p{S} ]{1,32}$/u

/** Text that a contract answers: as `string`, or as 32 bytes by older tokens. Undefined for anything else. */
export function textOf(answer: string | undefined): string | undefined {
  if (answer === undefined) return undefined
  const text = rawText(Buffer.from(answer.replace(/^0x/, ''), 'hex'))
  return text !== undefined && printable.test(text) ? text : undefined
}

function rawText(bytes: Buffer): string | undefined {
  if (bytes.length === 32) return bytes.toString('utf8').replace(/\0+$/, '')
  if (bytes.length < 64 || BigInt(`0x${bytes.subarray(0, 32).toString('hex')}`) !== 32n) return undefined
  const length = Number(BigInt(`0x${bytes.subarray(32, 64).toString('hex')}`))
  return length > bytes.length - 64 ? undefined : bytes.subarray(64, 64 + length).toString('utf8')
}

/** A number that a contract answers; undefined for anything else. */
export function numberOf(answer: string | undefined): bigint | undefined {
  return answer !== undefined && /^(0x)?[0-9a-f]{64}$/i.test(answer) ? BigInt(`0x${answer.replace(/^0x/, '')}`) : undefined
}

/** As many digits as the file of networks takes. */
const decimalsMax = 36n

/** The digits that a contract answers; undefined for anything else. */
export function decimalsOf(answer: string | undefined): number | undefined {
  const number = numberOf(answer)
  return number === undefined || number > decimalsMax ? undefined : Number(number)
}

/** Whether digits and symbol are as they should be. */
export function compared(
  { symbol, decimals }: { readonly symbol: string | undefined; readonly decimals: number | undefined },
  expected: Expected | undefined,
): readonly TokenFinding[] {
  const digits = decimals === undefined ? 'none' : String(decimals)
  if (expected === undefined) return decimals === undefined ? [{ trait: 'decimals', detail: digits }] : []
  return [
    ...(decimals === expected.decimals ? [] : [{ trait: 'decimals', detail: `${digits} instead of ${expected.decimals}` } as const]),
    ...(symbol === expected.symbol ? [] : [{ trait: 'symbol', detail: `${symbol ?? 'none'} instead of ${expected.symbol}` } as const]),
  ]
}
