/**
 * What a token's contract may do that others don't. `refused`: the token is neither credited nor paid. `unproven`: the same, until
 * somebody proves it or the file of networks trusts it. `handled`: it is credited and paid, and `means` says what becomes of the trait.
 */
export const traits = {
  'no-code': { verdict: 'refused', means: 'There is no code at this address.' },
  decimals: { verdict: 'refused', means: 'Its digits are not those of the file of networks: every sum would be wrong.' },
  symbol: { verdict: 'refused', means: 'Its symbol is not that of the file of networks: it may be another token.' },
  fails: { verdict: 'refused', means: 'A transfer fails: nothing that is paid would arrive. A token that is paused fails, too.' },
  'moves-nothing': { verdict: 'refused', means: 'A transfer succeeds and moves nothing.' },
  fee: { verdict: 'refused', means: 'It keeps a part of each transfer: less would arrive than is paid.' },
  rebasing: { verdict: 'refused', means: 'Balances change without transfers: what is held would not be what is owed.' },
  untried: { verdict: 'unproven', means: 'No transfer could be tried.' },
  'no-answer': { verdict: 'handled', means: 'Its transfer answers nothing. What counts is the log of the transfer.' },
  'false-answer': { verdict: 'handled', means: 'Its transfer answers false although it works. What counts is the log of the transfer.' },
  'fee-switch': { verdict: 'handled', means: 'It could keep a part of transfers, and does not now. It is refused once it does.' },
  blacklist: {
    verdict: 'handled',
    means: 'Its issuer can freeze addresses. A sweep from a frozen one is stuck, and the treasury names what the issuer took.',
  },
  pausable: { verdict: 'handled', means: 'Its issuer can stop all transfers. It is refused while they are stopped.' },
  upgradable: { verdict: 'handled', means: 'Its code can be exchanged. The new code is looked at, too.' },
} as const

export type Trait = keyof typeof traits
/** `detail`: what was found, such as an address or a number. */
export type TokenFinding = { readonly trait: Trait; readonly detail?: string }
export type Verdict = 'accepted' | 'unproven' | 'refused'

/** What is known of a token's contract. `owner`: who can change it, where it says so. `code`: digest of all code that runs. */
export type TokenReport = {
  readonly contract: string
  readonly code?: string
  readonly symbol?: string
  readonly decimals?: number
  readonly owner?: string
  readonly findings: readonly TokenFinding[]
  readonly verdict: Verdict
}

/** What the file of networks says of the token. `isTrusted`: it counts although no transfer could be tried. */
export type Expected = { readonly symbol: string; readonly decimals: number; readonly isTrusted?: boolean }

/** Trust stands in for a proof that is missing, never for one that failed. */
export function judged(about: Omit<TokenReport, 'verdict'>, expected: Expected | undefined): TokenReport {
  const has = (verdict: string): boolean => about.findings.some(({ trait }) => traits[trait].verdict === verdict)
  const isUnproven = has('unproven') && expected?.isTrusted !== true
  return { ...about, verdict: has('refused') ? 'refused' : isUnproven ? 'unproven' : 'accepted' }
}

/** What a look at a contract found out. `found`: seen; `offered`: what its code says that it may do. */
export type Seen = {
  readonly contract: string
  /** Digest of all code that runs. */
  readonly code: string
  readonly symbol: string | undefined
  readonly decimals: number | undefined
  readonly owner: string | undefined
  readonly found: readonly TokenFinding[]
  readonly offered: readonly TokenFinding[]
}

/** What was seen stands before what the code offers besides. */
export function reported(seen: Seen, expected: Expected | undefined): TokenReport {
  const { contract, code, symbol, decimals, owner, found, offered } = seen
  const about = {
    contract,
    code,
    ...(symbol === undefined ? {} : { symbol }),
    ...(decimals === undefined ? {} : { decimals }),
    ...(owner === undefined ? {} : { owner }),
    findings: [...found, ...offered.filter(({ trait }) => !found.some((one) => one.trait === trait))],
  }
  return judged(about, expected)
}

const verdicts: Readonly<Record<Verdict, string>> = {
  accepted: 'accepted',
  unproven: 'NOT PROVEN: neither credited nor paid',
  refused: 'REFUSED: neither credited nor paid',
}

/** A report in lines, the verdict first. */
export function linesOf({ contract, symbol = '?', decimals, owner, findings, verdict }: TokenReport): readonly string[] {
  return [
    `${symbol} at ${contract}, ${decimals ?? '?'} digits: ${verdicts[verdict]}`,
    ...(owner === undefined ? [] : [`  owner ${owner}`]),
    ...findings.map(
      ({ trait, detail }) => `  ${traits[trait].verdict} ${trait}${detail === undefined ? '' : ` (${detail})`}: ${traits[trait].means}`,
    ),
  ]
}
