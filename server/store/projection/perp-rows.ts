import { Columns, overwrite } from './columns.ts'
import { runningColumns } from './mark-candles.ts'

/** The tables of Futures, as migrations 041, 060 and 064 define them. */
export function perpRows() {
  return { ...positionRows(), ...fundingRows(), ...liquidationRows(), ...markRows() }
}

/** Positions while they are open, how they ended, and the margin that users moved into and out of them. */
function positionRows() {
  return {
    positions: new Columns(
      'positions',
      {
        position: 'bigint',
        user_id: 'bigint',
        market: 'text',
        side: 'text',
        mode: 'text',
        leverage: 'integer',
        quantity: 'numeric',
        cost: 'numeric',
        margin: 'numeric',
        liquidation_price: 'numeric',
        realised: 'numeric',
        fees: 'numeric',
        funding: 'numeric',
        opened_at_ms: 'bigint',
        updated_at_ms: 'bigint',
      },
      `(position) do update set ${overwrite(
        ...['mode', 'leverage', 'quantity', 'cost', 'margin', 'liquidation_price', 'realised', 'fees', 'funding', 'updated_at_ms'],
      )}`,
    ),
    closed: new Columns('closed_positions', {
      position: 'bigint',
      user_id: 'bigint',
      market: 'text',
      side: 'text',
      mode: 'text',
      leverage: 'integer',
      opened_quantity: 'numeric',
      opened_value: 'numeric',
      closed_quantity: 'numeric',
      closed_value: 'numeric',
      realised: 'numeric',
      fees: 'numeric',
      funding: 'numeric',
      cause: 'text',
      opened_at_ms: 'bigint',
      closed_at_ms: 'bigint',
    }),
    marginChanges: new Columns('margin_changes', {
      seq: 'bigint',
      at_ms: 'bigint',
      user_id: 'bigint',
      market: 'text',
      side: 'text',
      amount: 'numeric',
    }),
  }
}

/** Rates of each funding, and the amount that each position paid or received. */
function fundingRows() {
  return {
    payments: new Columns('funding_payments', {
      seq: 'bigint',
      line: 'integer',
      at_ms: 'bigint',
      user_id: 'bigint',
      market: 'text',
      position: 'bigint',
      quantity: 'numeric',
      rate: 'numeric',
      amount: 'numeric',
    }),
    rates: new Columns('funding_rates', {
      market: 'text',
      at_ms: 'bigint',
      rate: 'numeric',
      mark: 'numeric',
      paid: 'numeric',
      received: 'numeric',
      rest: 'numeric',
    }),
  }
}

/** The steps of liquidations, and the positions that auto-deleveraging closed for them. */
function liquidationRows() {
  return {
    liquidations: new Columns('liquidations', {
      seq: 'bigint',
      line: 'integer',
      at_ms: 'bigint',
      user_id: 'bigint',
      market: 'text',
      position: 'bigint',
      order_id: 'bigint',
      mark: 'numeric',
      index_price: 'numeric',
      sources: 'jsonb',
      equity: 'numeric',
      maintenance: 'numeric',
      maintenance_ppm: 'integer',
      asked: 'numeric',
      closed: 'numeric',
      traded_quote: 'numeric',
      traded_quantity: 'numeric',
      bankruptcy_price: 'numeric',
      fee: 'numeric',
      insured: 'numeric',
    }),
    deleverages: new Columns('deleverages', {
      seq: 'bigint',
      line: 'integer',
      step: 'integer',
      at_ms: 'bigint',
      market: 'text',
      price: 'numeric',
      quantity: 'numeric',
      bankrupt_user: 'bigint',
      user_id: 'bigint',
      position: 'bigint',
    }),
  }
}

/** The last mark of each market, and what users' positions were worth at the end of each day. */
function markRows() {
  return {
    marks: new Columns(
      'perp_marks',
      { market: 'text', at_ms: 'bigint', mark: 'numeric', index_price: 'numeric', sources: 'jsonb', ...runningColumns },
      `(market) do update set ${overwrite('at_ms', 'mark', 'index_price', 'sources', ...Object.keys(runningColumns))}`,
    ),
    days: new Columns('perp_days', { user_id: 'bigint', day_ms: 'bigint', unrealised: 'numeric' }),
  }
}
