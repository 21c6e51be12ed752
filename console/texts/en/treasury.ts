/** Texts of the page about the treasury. */
import type { TreasuryRole } from '@candor/core/protocol/wire/console/treasury.ts'
import { troubles } from './payouts.ts'

type Finding = { readonly title: string; readonly advice: string }

const findings: Readonly<Record<string, Finding>> = {
  'unknown-inflow': {
    title: 'Unknown inflow',
    advice: 'Somebody sent to an own address, or code on the chain sent coins to a deposit address. It counts from now on.',
  },
  'missed-log': { title: 'Missed log', advice: 'A deposit address has more than the node’s logs said. The audit of blocks finds it.' },
  frozen: { title: 'Frozen by the issuer', advice: 'The issuer took what an address had. Talk to the issuer; the loss is the exchange’s.' },
  fee: { title: 'Fee of the token', advice: 'The token kept a part of a sweep for itself.' },
  'token-refused': {
    title: 'Refused token',
    advice: 'Its contract does what no listed token may: it is neither credited nor paid. candor chains check says what.',
  },
  'token-unproven': {
    title: 'Unproven token',
    advice: 'No transfer of it could be tried: it is neither credited nor paid until one can. candor chains check says why.',
  },
  'in-flight': { title: 'In flight', advice: 'The chain is ahead of what the core was told. It goes away by itself.' },
  unexplained: {
    title: 'Unexplained',
    advice: 'Something is missing, or the core’s books say something else. Find out before anything else.',
  },
  'foreign-nonce': {
    title: 'Foreign transaction',
    advice: 'An own address sent what nobody ordered. Its key may be in other hands: follow the page about custody.',
  },
}

export const treasury = {
  title: 'Treasury',
  text: 'what the exchange has on chains, beside what its customers have in the books',
  signer: 'Signer',
  matches: 'Books and chain match',
  differs: 'Books and chain differ',
  never: 'Not compared yet',
  neverText: 'The signer signs nothing before it is told that books and chain match.',
  told: (age: string) => `told the signer ${age} ago`,
  stale: (age: string) => `The signer was last told ${age} ago. After 10 minutes it signs nothing until it is told again.`,
  refusedBy: (reason: string) => `The signer refused: ${troubles[reason]?.what ?? reason}`,
  stopped: 'The signer signs nothing while a difference that stops it is open.',
  coins: 'Coins by network',
  coinsText: 'on chain at the last comparison, which is made at a final block; customers’ coins by the core',
  none: 'No network is configured',
  noneText: 'The setting CANDOR_CHAINS names the folder with the file of networks.',
  asset: 'Asset',
  roles: { deposits: 'Deposit addresses', hot: 'Hot', gas: 'Fees', sink: 'Cold' } satisfies Record<TreasuryRole, string>,
  total: 'On chain',
  customers: 'Customers',
  unfinal: (sum: string) => `${sum} not final`,
  leaving: 'Leaving',
  outflow: (sum: string) => `${sum} paid in 24 h`,
  share: 'Hot wallet',
  shareOf: (share: string, max: string) => `${share}% of at most ${max}%`,
  fees: 'for fees',
  block: (block: string) => `block ${block}`,
  notCompared: 'not compared yet',
  away: 'engine away',
  differences: 'Differences',
  differencesText: 'open ones, and those of the last week that are closed',
  noDifferences: 'Books and chains agree: there is no difference, and there was none in the last week.',
  kind: 'Difference',
  kinds: findings,
  amount: 'Amount',
  holder: 'Address',
  core: 'the core’s books',
  transaction: 'Transaction',
  found: 'Found, UTC',
  state: 'State',
  stops: 'stops the signer',
  open: 'open',
  closed: 'closed',
  jobs: 'Sweeps and fuel',
  jobsText: 'those that are not over',
  noJobs: 'Nothing is on its way.',
  job: 'What',
  jobKinds: { sweep: 'Sweep', fuel: 'Fuel' } as Readonly<Record<string, string>>,
  places: (count: number) => (count === 1 ? '1 address' : `${count} addresses`),
  jobStates: { planned: 'planned', bound: 'being signed', signed: 'sent' } as Readonly<Record<string, string>>,
  since: 'Since, UTC',
  stuck: (count: number) =>
    count === 1
      ? 'The sweep of 1 address moved nothing: a person must look.'
      : `The sweeps of ${count} addresses moved nothing: a person must look.`,
}
