import type { CheckName, FigureName, FigurePeriod, ProblemKind, WorkKind } from '@candor/core/protocol/wire/console/overview.ts'

type WorkText = { readonly title: string; readonly text: string; readonly action: string }

const work: Readonly<Record<WorkKind, WorkText>> = {
  withdrawals: { title: 'Withdrawals', text: 'Requests to approve or reject', action: 'Decide' },
  deposits: { title: 'Held deposits', text: 'To release or to refuse', action: 'Decide' },
  papers: { title: 'Identity', text: 'Documents of customers', action: 'Review next' },
  recoveries: { title: 'Lost factors', text: 'Access without the second factors', action: 'Compare' },
  revocations: { title: 'Revocations', text: 'Certificates to revoke', action: 'Decide' },
  lifts: { title: 'Frozen accounts', text: 'Openings to sign', action: 'Decide' },
  surveillance: { title: 'Surveillance', text: 'Findings to settle', action: 'Settle' },
  tickets: { title: 'Tickets', text: 'Customers without an answer', action: 'Answer' },
  operations: { title: 'Decisions', text: 'Terms and postings', action: 'Decide' },
  proposals: { title: 'Second signatures', text: 'Proposals about members of the staff', action: 'Decide' },
}

/** A sentence about a problem, and its numbers. The arguments are formatted. */
type ProblemText = {
  readonly title: (subject: string) => string
  readonly detail: (value: string, limit: string) => string
}

const problems: Readonly<Record<ProblemKind, ProblemText>> = {
  engine: { title: () => 'The engine takes no commands', detail: () => 'orders are refused until it is back' },
  clock: { title: () => 'The exchange’s clock differs from the wall clock', detail: () => 'by more than a second: new orders are refused' },
  follower: { title: () => 'The follower does not report', detail: () => 'the query tables may be old' },
  tables: {
    title: (commands) => `The query tables are ${commands} commands behind the journal`,
    detail: (value, limit) => `${value} behind, limit ${limit}`,
  },
  silent: { title: (name) => `The process ${name} is silent`, detail: (value, limit) => `last report ${value} ago, limit ${limit}` },
  slow: { title: (name) => `The process ${name} is slow`, detail: (value, limit) => `its timers fire ${value} late, limit ${limit}` },
  feed: { title: (name) => `The price feed ${name} is silent`, detail: (value, limit) => `last price ${value} ago, limit ${limit}` },
  fallback: { title: () => 'Prices are simulated', detail: () => 'the live feeds are away' },
  disk: {
    title: () => 'The disk is filling up',
    detail: (value, limit) => `${value} free of ${limit}; at 5% the engine takes no more commands`,
  },
  books: { title: (asset) => `The accounts of ${asset} do not sum to zero`, detail: (value) => `sum ${value}, limit 0` },
  chain: { title: () => 'Hashes of the journal do not fit', detail: (_value, _limit) => 'stop the exchange and run “candor audit”' },
  halted: { title: (market) => `${market} is halted`, detail: () => 'by a decision of the staff; to open it again takes two' },
  phase: { title: (market) => `${market} is not open`, detail: (value) => `phase: ${value}` },
  interest: {
    title: (market) => `The open interest of ${market} is near its limit`,
    detail: (value, limit) => `${value} USDT, limit ${limit} USDT`,
  },
  fund: { title: (fund) => `${fund} is below its target`, detail: (value, limit) => `holds ${value}, target ${limit}` },
  house: {
    title: (fund) => `${fund} is below its floor`,
    detail: (value, limit) => `holds ${value}, floor ${limit}: Second closes itself`,
  },
  paused: { title: (market) => `Second is paused in ${market}`, detail: () => 'it takes orders again once the index is steady' },
  pool: { title: (asset) => `The pool of ${asset} lends no more`, detail: (value, limit) => `${value}% is lent, limit ${limit}%` },
  queue: { title: (name) => `${name} wait too long`, detail: (value, limit) => `the oldest for ${value}, limit ${limit}` },
  failing: {
    title: () => 'Mails, messages or pushes fail',
    detail: (value) => (value === '1' ? '1 is tried again' : `${value} are tried again`),
  },
  late: {
    title: (count) => (count === '1' ? 'A withdrawal waits for a decision' : `${count} withdrawals wait for a decision`),
    detail: (value, limit) => `the oldest for ${value}, target ${limit}`,
  },
  stuck: {
    title: (count) => (count === '1' ? 'A payment does not move' : `${count} payments do not move`),
    detail: (value) => `reason: ${value}`,
  },
}

const figures: Readonly<Record<Exclude<FigureName, 'stakes'>, string>> = {
  traded: 'Traded',
  fees: 'Fees',
  traders: 'Active traders',
  customers: 'New customers',
  liquidated: 'Liquidated, Futures',
  house: 'Second, house result',
}

const periods: Readonly<Record<FigurePeriod, string>> = { day: 'Today', week: '7 d', month: '30 d' }

const checkNames: Readonly<Record<CheckName, string>> = {
  books: 'Trial balance',
  chain: 'Hash chain',
  digests: 'Digests of the follower',
  answer: 'Order to answer, 99%',
  feeds: 'Price feeds',
  processes: 'Processes',
  messages: 'Mails and messages',
  disk: 'Disk',
}

/** Texts of the first page. */
export const overview = {
  title: 'Overview',
  oldest: (age: string) => `oldest waits ${age}`,
  target: (age: string) => `target ${age}`,
  none: 'nothing waits',
  open: 'Open',
  work,
  wrong: 'What is wrong',
  nothingWrong: 'Nothing is wrong',
  nothingWrongText: 'Processes, feeds, books, markets, funds and queues are within their limits.',
  errors: (count: number) => (count === 1 ? '1 error' : `${count} errors`),
  warnings: (count: number) => (count === 1 ? '1 warning' : `${count} warnings`),
  levels: { error: 'Error', warning: 'Warning' },
  openOf: (title: string) => `Open: ${title}`,
  problems,
  checks: 'Checks',
  checkNames,
  checkStates: { ok: 'right', warning: 'warning', error: 'wrong', unknown: 'not measured' },
  checkedAgo: (age: string) => `checked ${age} ago`,
  checkValues: {
    books: (even: string, all: string) => `zero in ${even} of ${all} assets`,
    chain: (right: string, all: string) => `newest ${all} batches, ${right} right`,
    digests: (seq: string) => `equal up to seq ${seq}`,
    answer: (ms: string, orders: string) => `${ms} ms, ${orders} orders`,
    answerNone: 'no order in 15 min',
    feeds: (up: string, all: string) => `${up} of ${all} up`,
    processes: (up: string, all: string) => `${up} of ${all} report`,
    messages: (waiting: string) => `queue ${waiting}`,
    disk: (free: string, total: string) => `${free} free of ${total}`,
    none: 'not measured',
  },
  figures,
  figuresTitle: 'Figures',
  periods,
  periodLabel: 'Period',
  csv: 'CSV',
  csvLabel: 'Figures',
  comparedDay: (weekday: string, time: string) => `dashed: last ${weekday} · compared up to ${time} UTC`,
  comparedDays: (days: number, time: string) => `dashed: the ${days} days before · compared up to ${time} UTC`,
  onDay: (percent: string, weekday: string) => `${percent} on last ${weekday}`,
  onDays: (percent: string, days: number) => `${percent} on the ${days} days before`,
  noneBefore: 'nothing to compare with',
  ofStakes: (stakes: string) => `of ${stakes} staked`,
  up: 'up',
  down: 'down',
  funds: 'Funds and pools',
  fund: 'Fund',
  balance: 'Balance',
  ofTarget: 'Of its target',
  noTarget: 'no target',
  today: 'Today',
  lendingPool: 'Lending pool',
  lent: (percent: string) => `${percent} lent`,
  fundsEmpty: 'No fund holds anything, and no pool has lenders.',
  exposure: 'Exposure',
  exposureEmpty: 'No Futures market is listed.',
  openInterest: 'Open interest',
  longShort: 'Long / short accounts',
  largest: 'Largest position',
  ofLimit: 'Of the limit',
  second: 'Second, all markets',
  secondHidden: 'not shown to staff',
  noPositions: 'none',
}
