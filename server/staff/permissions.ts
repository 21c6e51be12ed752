/**
 * What each role may do in the console, in one table. A route names its action, and nothing but this table says who may use it.
 *
 * No action shows pending directions of Second, sets a price or an outcome, or changes terms for one customer: there is none to give.
 */
export const roles = ['administrator', 'compliance', 'treasury', 'risk', 'support', 'auditor'] as const
export type Role = (typeof roles)[number]

/** Auditors change nothing, and the compiler keeps them out. */
type Changer = Exclude<Role, 'auditor'>

/** Own logins, passkeys and sessions: of every member of the staff. */
export const own = {
  'own.read': roles,
  'own.change': roles,
} as const satisfies Readonly<Record<`own.${string}`, typeof roles>>

export const reading = {
  'overview.read': roles,
  /** Traded value, fees, customers and results of the exchange. */
  'figures.read': ['administrator', 'treasury', 'risk', 'auditor'],
  'staff.read': ['administrator', 'auditor'],
  'log.read': ['administrator', 'auditor'],
  'papers.read': ['compliance', 'auditor'],
  /** Frozen accounts, and why. */
  'freezes.read': ['compliance', 'risk', 'support', 'auditor'],
  /** Photos are for the person who decides; reading the decision needs none. */
  'papers.photo': ['compliance'],
  'markets.read': roles,
  'fees.read': roles,
  'countries.read': ['administrator', 'compliance', 'treasury', 'risk', 'auditor'],
  /** Terms and house fund of Second, and sums of a market: never a direction. */
  'house.read': ['administrator', 'compliance', 'treasury', 'risk', 'auditor'],
  /** Terms of withdrawals by asset and network. */
  'networks.read': roles,
  'presales.read': roles,
  /** Firms, their accounts and members, and what they have by contract. */
  'firms.read': ['administrator', 'compliance', 'risk', 'auditor'],
  'announcements.read': roles,
  'operations.read': ['administrator', 'compliance', 'treasury', 'risk', 'auditor'],
  /** Requests of customers who have lost their second factors. */
  'recoveries.read': ['compliance', 'auditor'],
  'recoveries.photo': ['compliance'],
  /** Requests for withdrawals, with what was found about their customers, and payments on their way. */
  'withdrawals.read': ['compliance', 'treasury', 'risk', 'support', 'auditor'],
  /** Deposits that were held, went wrong or vanished, and what is owed for them. */
  'deposits.read': ['compliance', 'treasury', 'support', 'auditor'],
  /** Coins on chains beside the books, and what the signer was told. */
  'treasury.read': ['administrator', 'treasury', 'risk', 'auditor'],
  'risk.read': ['administrator', 'treasury', 'risk', 'auditor'],
  /** Daily reports of surveillance: findings about customers, never an open order of Second. */
  'surveillance.read': ['compliance', 'risk', 'auditor'],
  'ledger.read': ['administrator', 'treasury', 'auditor'],
  'journal.read': ['administrator', 'risk', 'auditor'],
  'health.read': ['administrator', 'risk', 'auditor'],
  /** Tickets of customers. */
  'support.read': ['administrator', 'compliance', 'support', 'auditor'],
  /** Pictures that customers sent. */
  'support.picture': ['administrator', 'compliance', 'support'],
  /** Customers with their money, addresses masked. */
  'customers.read': ['compliance', 'treasury', 'risk', 'support', 'auditor'],
} as const satisfies Readonly<Record<string, readonly Role[]>>

export const changing = {
  'staff.propose': ['administrator'],
  'staff.decide': ['administrator'],
  'papers.claim': ['compliance'],
  'papers.decide': ['compliance'],
  /** Two of them: one proposes, another approves. */
  'papers.revoke': ['compliance'],
  /** One person freezes; two open the account again. */
  'customers.freeze': ['compliance', 'risk', 'support'],
  'customers.unfreeze': ['compliance'],
  /** Two of them for each decision about terms; one alone only closes. */
  'markets.decide': ['administrator', 'risk'],
  'fees.decide': ['administrator', 'risk'],
  'countries.decide': ['administrator', 'compliance'],
  'house.decide': ['administrator', 'risk'],
  /** Sums moved by hand: two of them, too. */
  'postings.decide': ['administrator', 'treasury'],
  /** Terms of withdrawals. */
  'networks.decide': ['administrator', 'risk'],
  /** Presales: one prepares texts and whitepaper and proposes the terms, another approves. */
  'presales.decide': ['administrator', 'risk'],
  /** One decides about the application of a firm. */
  'firms.admit': ['compliance'],
  /** What a firm has by contract: two of them. */
  'firms.decide': ['administrator', 'compliance'],
  /** Two of them: one proposes, another approves; each alone may decline. */
  'recoveries.decide': ['compliance'],
  /** One person looks at a request at a time; its terms say how many approve. */
  'withdrawals.review': ['compliance', 'treasury', 'risk'],
  'withdrawals.decide': ['compliance', 'treasury', 'risk'],
  /** Two of them: one proposes to release or refuse a held deposit, another approves. */
  'deposits.decide': ['compliance', 'treasury'],
  /** Two of them: one proposes that a transaction was the operator's own, another approves. */
  'treasury.decide': ['administrator', 'treasury'],
  'announcements.publish': ['administrator', 'support'],
  /** Answers, and the texts that members insert into them. */
  'support.answer': ['administrator', 'support'],
  /** Notes that the customer never sees, and the queue of another role. */
  'support.note': ['administrator', 'compliance', 'support'],
  /** Addresses in full, with a reason each time. */
  'customers.reveal': ['compliance', 'support'],
  'customers.note': ['compliance', 'risk', 'support'],
  /** One person settles a finding, which changes nothing else. */
  'surveillance.decide': ['compliance', 'risk'],
} as const satisfies Readonly<Record<string, readonly Changer[]>>

export type ReadAction = keyof typeof reading | 'own.read'
export type ChangeAction = keyof typeof changing | 'own.change'
/** `open`: before a login. */
export type Action = ReadAction | ChangeAction | 'open'

const table: Readonly<Record<Exclude<Action, 'open'>, readonly Role[]>> = { ...own, ...reading, ...changing }

export const actions = Object.keys(table) as readonly Exclude<Action, 'open'>[]

/** Whether a role may do it. */
export function may(role: Role, action: Exclude<Action, 'open'>): boolean {
  return table[action].includes(role)
}

export function isRole(text: string): text is Role {
  return (roles as readonly string[]).includes(text)
}
