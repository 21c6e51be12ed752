/** Texts of the pages about surveillance. */
import type { FindingKind, FindingState, LimitedRead, PartyRole } from '@candor/core/protocol/wire/console/surveillance.ts'

const kinds: Readonly<Record<FindingKind, string>> = {
  'self-trades': 'Self-trades',
  'round-trips': 'Round trips',
  spoofing: 'Spoofing',
  layering: 'Layering',
  cancels: 'Cancelled orders',
  linked: 'Linked accounts',
  'second-wins': 'Wins in Second',
}

/** What each kind looks for, for readers of a finding. */
const about: Readonly<Record<FindingKind, string>> = {
  'self-trades': 'Trades whose two sides belong to one account, or to accounts that may belong to one person.',
  'round-trips': 'Two accounts trade to and fro at about one price, which changes nothing but the volume.',
  spoofing: 'Large orders are cancelled within seconds and unfilled, while orders of the other side of the same account fill.',
  layering: 'Orders on several price levels of one side are cancelled together, while orders of the other side fill.',
  cancels: 'Hardly any of many orders is meant to trade. Programs that quote both sides can look the same.',
  linked: 'Accounts share a browser, a network, a document or an invitation. None of it proves that one person has them.',
  'second-wins': 'Orders of Second end well more often than chance explains. Only settled orders are read.',
}

const reads: Readonly<Record<LimitedRead, string>> = {
  devices: 'shared browsers',
  documents: 'shared documents',
  networks: 'shared networks',
  firms: 'accounts of firms and their members',
  pairs: 'pairs of traders',
  trades: 'trades of a pair',
  quoters: 'accounts with cancelled orders',
  largeOrders: 'large orders of an account',
  fills: 'fills of an account',
  players: 'accounts that win in Second',
  contracts: 'orders of Second of an account',
}

const states: Readonly<Record<FindingState, string>> = { open: 'Open', escalated: 'Escalated', explained: 'Explained' }

const roles: Readonly<Record<PartyRole, string>> = { customer: '', maker: 'market maker', bench: 'benchmark', staff: 'staff' }

export const surveillance = {
  title: 'Surveillance',
  text: 'one report per UTC day; a finding is a reason to look, not a verdict',
  kinds,
  about,
  states,
  roles,
  findings: 'Findings',
  findingsNone: 'No finding matches',
  findingsNoneText: 'Choose another state, kind or day. A day without findings was examined all the same.',
  noReports: 'No report yet',
  noReportsText: 'The first report is made a few minutes after the first midnight UTC that customers have seen.',
  due: (days: readonly string[]) =>
    days.length === 1
      ? `The report of ${days[0]} is due and not made yet.`
      : `${days.length} reports are due and not made yet: ${days.join(', ')}.`,
  dueText: 'Reports are made one after the other in the background, once the query tables have the whole day.',
  state: 'State',
  kind: 'Kind',
  day: 'Day',
  all: 'All',
  allKinds: 'All kinds',
  allDays: 'All days',
  anyCustomer: 'All customers',
  onlyOf: (uid: string) => `Only findings about ${uid}`,
  clear: 'Show all',
  market: 'Market',
  accounts: 'Accounts',
  moreAccounts: (count: number) => `and ${count} more`,
  seen: 'What was seen',
  open: 'Open finding',
  reports: 'Reports',
  reportsText: 'findings per day and kind, of the newest 92 days',
  made: 'Made, UTC',
  took: 'Took',
  examined: 'Examined',
  examinedOf: (trades: string, orders: string, contracts: string) => `${trades} trades · ${orders} orders · ${contracts} of Second`,
  atLimit: 'Limit reached',
  atLimitOf: (which: readonly LimitedRead[]) => which.map((one) => reads[one]).join(', '),
  atLimitText: 'These reads took as many rows as they may, so findings may be missing.',
  prevented: 'Prevented self-trades',
  stillOpen: 'Open',
  none: '–',
  back: 'Surveillance',
  figures: 'Figures',
  figure: 'Figure',
  value: 'Seen',
  threshold: 'Threshold',
  when: 'Time, UTC',
  until: (from: string, to: string) => (from === to ? from : `${from} to ${to}`),
  customer: 'Customer',
  otherFindings: 'Other findings',
  show: 'Show',
  orders: 'Orders that show it',
  ordersText: 'the search finds their customers',
  decision: 'Decision',
  decisionText:
    'One person settles a finding, with a reason that stays. It changes nothing else: no order, no price, no outcome, no account.',
  explain: 'Explained',
  escalate: 'Escalate',
  explainTitle: 'Settle as explained',
  explainText: 'The figures have an innocent explanation. Write it down, so that the next reader need not look for it again.',
  escalateTitle: 'Escalate this finding',
  escalateText: 'It needs more than a look: a talk with the customer, a freeze, or a report. Write down what comes next.',
  explained: 'The finding is settled as explained.',
  escalated: 'The finding is escalated.',
  settledBy: (who: string, when: string) => `by ${who}, ${when} UTC`,
  mayNot: 'Compliance and risk settle findings.',
}
