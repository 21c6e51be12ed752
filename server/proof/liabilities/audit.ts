import { createHash } from 'node:crypto'
import type { Exchange } from '@candor/core/exchange/exchange.ts'
import type { Ticks } from '@candor/core/money/brand.ts'
import { readHeadText } from '@candor/core/proof/head.ts'
import { type LiabilityStatement, readLiabilityText } from '@candor/core/proof/liabilities.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { unrealised } from '@candor/core/risk/perp.ts'
import type pg from 'pg'
import type { Visit } from '../../journal/audit.ts'
import { headsFrom } from '../../store/query/proof/heads.ts'
import { lastStatement, nodeRows, statementSecret, statementsBefore } from '../../store/query/proof/statements.ts'
import { FastTree } from './fast-tree.ts'
import { leafBytes, readLeaf, rowNodes } from './layout.ts'

const pageRows = 1_000
const shownMax = 10

type Customer = { readonly uid: number; readonly user: UserId }
/** Units by `<UID> <asset> <kind>`. */
type Amounts = Map<string, number>

/**
 * Checks the newest statement of liabilities: its trees from the stored leaves, and then, where the replay stands at its position, the
 * leaves of each customer against the core's own accounts. Undefined before the first statement.
 */
export async function liabilityVisit(pool: pg.Pool): Promise<Visit | undefined> {
  const stored = await lastStatement(pool)
  if (stored === undefined) return undefined
  const name = `Statement ${stored.n} of liabilities`
  const problems = [...(await namedWrong(pool))]
  const statement = readLiabilityText(stored.text)
  const { rows: customers } = await pool.query<Customer>(
    'select uid::integer as uid, core_user as user from accounts where core_user is not null',
  )
  const amounts: Amounts = new Map()
  if (statement === undefined) problems.push(`${name} has another text than it was made with`)
  else problems.push(...(await readTrees(pool, statement, amounts)).map((wrong) => `${name} ${wrong}`))
  return {
    seq: stored.seq,
    look: (exchange) => {
      const expected = amountsOf(exchange, customers)
      const differences = [...new Set([...amounts.keys(), ...expected.keys()])]
        .filter((key) => amounts.get(key) !== expected.get(key))
        .map((key) => `${name} has ${amounts.get(key) ?? 0} units of ${key}, the core ${expected.get(key) ?? 0}`)
      return [...problems, ...differences.slice(0, shownMax)]
    },
  }
}

/** Heads that name another statement than the one of this number. */
async function namedWrong(pool: pg.Pool): Promise<readonly string[]> {
  const hashes = new Map<number, string>()
  for (
    let page = await statementsBefore(pool, undefined, pageRows);
    page.length > 0;
    page = await statementsBefore(pool, page.at(-1)!.n, pageRows)
  )
    for (const { n, text } of page) hashes.set(n, createHash('sha256').update(text).digest('hex'))
  for (let page = await headsFrom(pool, 1, pageRows); page.length > 0; page = await headsFrom(pool, page.at(-1)!.n + 1, pageRows)) {
    const wrong = page.find(({ text }) => {
      const { n, hash } = readHeadText(text)?.liabilities ?? { n: 0, hash: '' }
      return n > 0 && hashes.get(n) !== hash
    })
    if (wrong !== undefined) return [`Head ${wrong.n} names a statement of liabilities that is not stored`]
  }
  return []
}

/** Hashes the stored leaves again, and adds up those of each customer. */
async function readTrees(pool: pg.Pool, { n, trees }: LiabilityStatement, amounts: Amounts): Promise<readonly string[]> {
  const secret = await statementSecret(pool, n)
  if (secret === undefined) return ['has no leaves']
  const problems: string[] = []
  for (const [tree, { asset, kind, size, sum, root }] of trees.entries()) {
    const growing = new FastTree({ tree, asset, kind }, secret.seed, size)
    const rows = Math.ceil(size / rowNodes)
    let wrongRow: string | undefined
    for (let from = 0; from < rows; from += pageRows) {
      const places = Array.from({ length: Math.min(pageRows, rows - from) }, (_, place) => ({ tree, level: 0, place: from + place }))
      for (const row of await nodeRows(pool, n, places)) {
        growing.add(row)
        addLeaves(row, `${asset} ${kind}`, amounts)
      }
      const above = growing.take().filter(({ level }) => level > 0)
      const kept = await nodeRows(
        pool,
        n,
        above.map(({ level, place }) => ({ tree, level, place })),
      )
      const differs = above.find(({ body }, nth) => !body.equals(kept[nth]!))
      if (differs !== undefined) wrongRow ??= `${differs.level}/${differs.place}`
    }
    const found = growing.root()
    if (found.root !== root || found.sum !== sum) problems.push(`has another root of ${asset} ${kind} than its leaves`)
    else if (wrongRow !== undefined) problems.push(`has other nodes of ${asset} ${kind} than its leaves, at ${wrongRow}`)
  }
  return problems
}

function addLeaves(row: Buffer, name: string, amounts: Amounts): void {
  for (let at = 0; at < row.length; at += leafBytes) {
    const { uid, amount } = readLeaf(row, at)
    if (uid > 0) add(amounts, `${uid} ${name}`, amount)
  }
}

function add(amounts: Amounts, key: string, units: number): void {
  if (units !== 0) amounts.set(key, (amounts.get(key) ?? 0) + units)
}

/** What customers have and owe by the core: the same as `readHoldings` has from the tables. */
function amountsOf(exchange: Exchange, customers: readonly Customer[]): Amounts {
  const { assets, markets } = exchange.listing()
  const symbols = new Map(assets.map(({ id, symbol }) => [id, symbol]))
  const marks = new Map(exchange.marks().map(({ market, mark }) => [market, mark as Ticks]))
  const steps = new Map(markets.map(({ id, quotePerTickLot }) => [id, quotePerTickLot]))
  const presales = exchange.presale.all().filter(({ isEnded }) => !isEnded)
  const amounts: Amounts = new Map()
  for (const { uid, user } of customers) {
    if (user > exchange.userCount || exchange.isHouse(user)) continue
    for (const { account, available, held } of exchange.balances(user)) {
      if ('user' in account && account.kind !== 'perp') add(amounts, `${uid} ${symbols.get(account.asset)} claims`, available + held)
    }
    add(amounts, `${uid} USDT claims`, futuresUnits(exchange, user, marks, steps))
    for (const { presale, terms } of presales)
      add(amounts, `${uid} ${symbols.get(terms.pay)} claims`, exchange.presale.subscribed(user, presale))
    for (const { balances } of exchange.marginAccounts(user))
      for (const { asset, principal, interest } of balances) add(amounts, `${uid} ${symbols.get(asset)} debts`, principal + interest)
  }
  return amounts
}

/** A Futures account with the profit of its positions: see `docs/spec/proof.md`. */
function futuresUnits(exchange: Exchange, user: UserId, marks: ReadonlyMap<number, Ticks>, steps: ReadonlyMap<number, number>): number {
  const { available, held, positions } = exchange.perpAccount(user)
  let [rest, isolated] = [available + held, 0]
  for (const { market, mode, lots, cost, margin } of positions) {
    const profit = unrealised(lots, cost, marks.get(market)!, steps.get(market)!)
    if (mode === 'cross') rest += profit
    else {
      rest -= margin
      isolated += Math.max(0, margin + profit)
    }
  }
  return Math.max(0, rest) + isolated
}
