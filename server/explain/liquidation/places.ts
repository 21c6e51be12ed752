import { readReceiptText, receiptText, type ReceiptLine } from '@candor/core/proof/receipt.ts'
import type { MarginMode } from '@candor/core/protocol/command/perp.ts'
import type { MarketId, OrderId, Seq, UserId } from '@candor/core/protocol/ids.ts'
import type pg from 'pg'
import type { LiquidationPlace, RecordedStep } from './futures.ts'
import type { MarginLiquidationPlace, RecordedMarginStep } from './margin.ts'

type Queries = Pick<pg.Pool, 'query'>

/** Steps of one account that follow one another within this time are of one liquidation. */
const pauseMs = 600_000
/** Orders are cancelled before the first step: with very many of them, by commands of their own. */
const cancelMs = 60_000
/** Steps and records that are read at most. */
const readMax = 5_000
/** The customer's newest receipts among which they are looked for: a market maker has millions. */
const searchedMax = 200_000
/** Commands that are told at most: the first ones, which tell why, and the last ones. */
const firstMax = 100
const lastMax = 20
/** Receipts are stored without their owner's number, which nothing here needs. */
const anybody = '100000000'

/** Whether a step of one of the customer's positions was taken by this command. */
export async function hasStep(queries: Queries, user: UserId, position: OrderId, seq: Seq): Promise<boolean> {
  const { rows } = await queries.query('select from liquidations where position = $2 and user_id = $1 and seq = $3 limit 1', [
    ...[user, position, seq],
  ])
  return rows.length > 0
}

/** The same for one of the customer's Margin accounts; '': the cross account. */
export async function hasMarginStep(queries: Queries, user: UserId, symbol: string, seq: Seq): Promise<boolean> {
  const sql = 'select from margin_liquidations where user_id = $1 and market = $2 and seq = $3 limit 1'
  return (await queries.query(sql, [user, symbol, seq])).rows.length > 0
}

type StepRow = RecordedStep & { readonly at: number; readonly symbol: string; readonly mode: MarginMode }

/**
 * The liquidation of which the step of a position in the command `seq` is the last one: with the steps of the position or, in cross
 * mode, of all cross positions. Undefined when the tables have no such step of this customer.
 */
export async function liquidationPlace(queries: Queries, user: UserId, position: OrderId, seq: Seq): Promise<LiquidationPlace | undefined> {
  const { rows } = await queries.query<StepRow>(
    `with modes as (
       select position, mode from positions where user_id = $1 union all select position, mode from closed_positions where user_id = $1
     )
     select seq, position, at_ms as at, market as symbol, mode, trim_scale(equity)::text as equity, trim_scale(maintenance)::text as maintenance,
       closed::text, trim_scale(fee)::text as fee, trim_scale(insured)::text as insured
     from liquidations join modes using (position)
     where user_id = $1 and seq <= $3
       and (position = $2 or mode = 'cross' and exists (select from modes where position = $2 and mode = 'cross'))
     order by at_ms desc, seq desc, line desc limit ${readMax}`,
    [user, position, seq],
  )
  const asked = rows.find((row) => row.seq === seq && row.position === position)
  if (asked === undefined) return undefined
  const steps = run(rows).reverse()
  const found = await receiptsOf(queries, user, { from: steps[0]!.at - cancelMs, to: asked.at, seq }, 'perp\\.liquidated |order\\.closed ')
  const cancelling = found.filter(({ events }) => events.some(isCancelled)).map((one) => one.seq)
  const { commands, omitted } = told([...steps.map((one) => one.seq), ...cancelling])
  return { user, position, symbol: asked.symbol, mode: asked.mode, commands, omitted, recorded: steps }
}

/** Rows with the newest first, up to a pause. */
function run<R extends { readonly at: number }>(rows: readonly R[]): R[] {
  const end = rows.findIndex(({ at }, n) => n > 0 && rows[n - 1]!.at - at > pauseMs)
  return rows.slice(0, end < 0 ? rows.length : end)
}

type MarginRow = RecordedMarginStep

/**
 * The liquidation of which a step of one of the customer's Margin accounts in the command `seq` is the last one: from the command in
 * which its level fell to the limit. Undefined when the tables have no such step of this customer. `symbol` '': the cross account.
 */
export async function marginLiquidationPlace(
  queries: Queries,
  user: UserId,
  symbol: string,
  seq: Seq,
): Promise<MarginLiquidationPlace | undefined> {
  const { rows: asked } = await queries.query<{ at: number; market: MarketId }>(
    `select at_ms as at, coalesce(id, 0) as market from margin_liquidations step left join markets on symbol = step.market
     where user_id = $1 and step.market = $2 and seq = $3 limit 1`,
    [user, symbol, seq],
  )
  if (asked[0] === undefined) return undefined
  const { at, market } = asked[0]
  const falls = await receiptsOf(queries, user, { from: 0, to: at, seq }, 'margin\\.level ')
  const isFall = ({ name, facts }: ReceiptLine): boolean =>
    name === 'margin.level' && facts['state'] === 'liquidating' && isOf(facts, symbol)
  const fall = falls.find(({ events }) => events.some(isFall)) ?? { seq, at }
  const { rows: recorded } = await queries.query<MarginRow>(
    `select seq, level::text, trim_scale(assets)::text as assets, trim_scale(debt)::text as debt, trim_scale(fee)::text as fee,
       trim_scale(insured)::text as insured
     from margin_liquidations where user_id = $1 and market = $2 and at_ms >= $3 and seq between $4 and $5 order by at_ms, seq, line`,
    [user, symbol, fall.at, fall.seq, seq],
  )
  const acts = await receiptsOf(queries, user, { from: fall.at, to: at, seq }, 'margin\\.loan |order\\.closed ')
  const isAct = (one: ReceiptLine): boolean =>
    isCancelled(one) || (one.name === 'margin.loan' && one.facts['cause'] === 'liquidation' && isOf(one.facts, symbol))
  const acting = acts.filter((one) => one.seq >= fall.seq && one.events.some(isAct)).map((one) => one.seq)
  const { commands, omitted } = told([fall.seq, ...recorded.map((one) => one.seq), ...acting])
  return { user, symbol: symbol === '' ? undefined : symbol, market, commands, omitted, recorded }
}

const isOf = (facts: ReceiptLine['facts'], symbol: string): boolean => (facts['market'] ?? '') === symbol

const isCancelled = ({ name, facts }: ReceiptLine): boolean => name === 'order.closed' && facts['reason'] === 'liquidation'

/** Commands in their order, without repetition, and how many in the middle are left out. */
function told(all: readonly Seq[]): { readonly commands: readonly Seq[]; readonly omitted: number } {
  const commands = [...new Set(all)].sort((a, b) => a - b)
  const omitted = Math.max(0, commands.length - firstMax - lastMax)
  return { commands: omitted === 0 ? commands : [...commands.slice(0, firstMax), ...commands.slice(-lastMax)], omitted }
}

/** The customer's receipts in a span up to the command `seq` that have one of the events, newest first. */
async function receiptsOf(
  queries: Queries,
  user: UserId,
  { from, to, seq }: { readonly from: number; readonly to: number; readonly seq: Seq },
  events: string,
): Promise<readonly { readonly seq: Seq; readonly at: number; readonly events: readonly ReceiptLine[] }[]> {
  const { rows } = await queries.query<{ seq: Seq; at: number; lines: string }>(
    `select seq, at, lines from (
       select seq, at_ms as at, lines from receipts where user_id = $1 and at_ms between $2 and $3 and seq <= $4
       order by at_ms desc, seq desc limit ${searchedMax}
     ) newest where lines ~ $5 order by at desc, seq desc limit ${readMax}`,
    [user, from, to, seq, `event (${events})`],
  )
  return rows.map(({ lines, ...place }) => ({
    ...place,
    events: readReceiptText(receiptText({ ...place, user: anybody }, lines))?.events ?? [],
  }))
}
