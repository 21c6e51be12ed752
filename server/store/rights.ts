/** Processes that connect to the database, each with a user of its own. The operator owns the tables and migrates them. */
export const databaseRoles = ['engine', 'follower', 'gateway', 'backup'] as const
export type DatabaseRole = (typeof databaseRoles)[number]
type Writer = Exclude<DatabaseRole, 'backup'>

/** `grows`: only the table's owner can change or delete rows. */
type TableRights = { readonly grows?: boolean } & { readonly [Role in Writer]?: string }

const reads = 'select'
const adds = 'select, insert'
const keeps = 'select, insert, update'
const tends = 'select, insert, update, delete'

const projected = { follower: keeps, gateway: reads } as const
/** Rows that nothing changes any more. */
const projectedOnce = { grows: true, follower: adds, gateway: reads } as const
const people = { gateway: keeps } as const
const passing = { gateway: tends } as const

/**
 * The rights of each process on each table, and no others; the backup reads all. Only the owner can use a table that is missing
 * here. Cascades and references act as the owner, so they need no rights.
 */
export const tableRights: Readonly<Record<string, TableRights>> = {
  // The gateway: never the payloads, which have the orders of customers.
  journal: {
    ...{ grows: true, engine: adds, follower: reads },
    gateway: 'select (seq, epoch, n, first_at, core_version, prev_hash, hash, events_digest)',
  },
  leader: { engine: 'select, update', follower: reads },
  snapshots: { engine: 'select, insert, delete', follower: 'select, insert, delete' },
  snapshot_chunks: { engine: adds, follower: adds },
  migrations: {},

  projection: { engine: reads, follower: 'select, update', gateway: reads },
  assets: projected,
  markets: projected,
  core_users: projected,
  orders: projected,
  trades: projectedOnce,
  prevented_matches: projectedOnce,
  ledger_entries: projectedOnce,
  balances: projected,
  balance_days: projected,
  candles_1s: { follower: tends, gateway: reads },
  candles_1m: projected,
  candles_1h: projected,
  mark_candles_1m: projected,
  mark_candles_1h: projected,
  volume_hours: projected,
  positions: { follower: tends, gateway: reads },
  closed_positions: projectedOnce,
  funding_payments: projectedOnce,
  funding_rates: projectedOnce,
  liquidations: projectedOnce,
  deleverages: projectedOnce,
  margin_changes: projectedOnce,
  perp_marks: projected,
  perp_days: projected,
  insurance_days: projected,
  figure_hours: projected,
  trader_days: projectedOnce,
  fund_days: projected,
  fund_inventory: projected,
  core_credits: projected,
  core_withdrawals: projected,
  algo_orders: projected,
  conversions: projected,
  referral_invitees: projected,
  referral_days: projected,
  presales: projected,
  presale_subscriptions: projected,
  // The engine: the practice presales of a first start.
  presale_details: { grows: true, engine: adds, gateway: adds },
  presale_papers: { grows: true, engine: adds, gateway: adds },
  options: projected,
  index_tape: projectedOnce,
  tape_hours: projectedOnce,
  proof_keys: projectedOnce,
  proof_heads: projectedOnce,
  proof_nodes: projectedOnce,
  receipts: projectedOnce,
  receipt_users: projectedOnce,
  receipt_trees: projectedOnce,
  // The leaves of old statements go.
  liability_statements: projectedOnce,
  liability_secrets: { follower: 'select, insert, delete', gateway: reads },
  liability_nodes: { follower: 'select, insert, delete', gateway: reads },
  liability_owners: { follower: 'select, insert, delete', gateway: reads },
  // Asked for by customers, worked out by the follower.
  explanations: {
    follower: 'select, update (state, percent, tries, fault, body)',
    gateway: 'select, insert, update (asked_at_ms, state, percent, tries, fault)',
  },
  // The process of chains makes statements, the one that signs heads signs them.
  reserve_signatures: { grows: true, follower: adds, gateway: reads },
  reserve_statements: { follower: 'select, insert, update (signature)', gateway: reads },
  // A slot that the signer refused goes.
  anchors: {
    follower: 'select, insert, update (state, nonce, txid, block, block_hash, fee, trouble, retry_at, settled_at)',
    gateway: reads,
  },
  anchor_attempts: { follower: 'select, insert, update (raw, txid, signed_at, sent_at, sends, hint), delete', gateway: reads },
  debt_days: projected,
  holding_costs: projected,
  loan_changes: projectedOnce,
  margin_liquidations: projectedOnce,
  lend_claims: projected,
  lend_rates: projected,
  request_blocks: { follower: 'select, insert, delete', gateway: reads },
  recorded_users: { follower: adds },
  order_list_client_ids: passing,

  // The follower: whose notice an event becomes, whose webhooks rest, whose a deposit address is, and whose account is erased.
  accounts: { engine: 'select (id, core_user)', follower: 'select (id, uid, core_user, frozen_at, erased_at)', gateway: keeps },
  agreements: { grows: true, gateway: adds },
  preferences: passing,
  chart_layouts: passing,
  alerts: passing,
  sessions: passing,
  faucet_days: { gateway: keeps },
  // Triggers write it.
  revocations: { gateway: 'select, delete' },
  codes: passing,
  code_counts: passing,
  reset_tokens: passing,
  login_tries: passing,
  audit_log: { grows: true, gateway: adds },
  activity: { grows: true, gateway: adds },
  // Who did it stays.
  activity_origins: { gateway: 'select, insert, update (last_at)' },
  inbox: passing,
  api_keys: people,
  key_signals: passing,
  key_signal_calls: passing,
  authenticators: passing,
  recovery_codes: passing,
  passkeys: { engine: reads, gateway: tends },
  passkey_challenges: passing,
  login_steps: passing,
  payment_passwords: passing,
  deletions: { gateway: 'select, insert, update (cancelled_at, erased_at)' },
  firms: people,
  firm_accounts: people,
  firm_members: people,
  firm_log: { grows: true, gateway: adds },
  firm_rules: { grows: true, gateway: adds },
  // What is asked for stays; the tables' triggers say when it is decided.
  firm_requests: { gateway: 'select, insert, update (state, decided_at, done_at, reason, withdrawal)' },
  firm_verdicts: { grows: true, gateway: adds },
  freezes: people,
  freeze_lifts: people,
  freeze_links: passing,
  regains: people,
  regain_photos: passing,
  allow_lists: passing,
  // The address, its owner and the time of waiting stay as they were added. Erasing an account deletes those that were never used. The
  // follower names it in the notice of a withdrawal.
  withdrawal_addresses: {
    ...{ engine: reads, follower: 'select (number, address)' },
    gateway: 'select, insert, update (label, removed_at, uses, last_used_at), delete',
  },
  own_limits: people,
  // Its notices depend on them.
  own_rests: { follower: 'select (account, cause, at, until)', gateway: keeps },
  own_time: passing,
  deposit_days: passing,
  loss_figures: people,
  papers: people,
  paper_photos: passing,
  paper_objects_gone: passing,
  paper_revocations: people,
  paper_tag_keys: { gateway: adds },
  // The follower: whether a member who signed still may.
  staff: { follower: 'select (id, role, state)', gateway: keeps },
  staff_enrolments: passing,
  staff_sessions: passing,
  staff_authenticators: passing,
  staff_passkeys: passing,
  staff_passkey_challenges: passing,
  staff_proposals: people,
  operations: people,
  announcements: people,
  // Not `id`: entries keep the order in which they were written.
  staff_log: { grows: true, gateway: 'select, insert (at, staff, session, ip, device, action, subject, why, before, after)' },
  listen_keys: passing,
  webhooks: { follower: 'select, update', gateway: keeps },
  webhook_deliveries: { follower: tends, gateway: tends },
  webhook_state: { follower: 'select, update', gateway: 'select, update' },
  // The follower may delete the oldest notices of an account, and name the browsers to which a new one goes.
  // Transfers and loans of one minute are added to one notice, which is unread again.
  notices: { follower: 'select, insert, update (data, read_at), delete', gateway: tends },
  notice_preferences: { follower: reads, gateway: tends },
  notice_state: { follower: reads, gateway: 'select, update' },
  notice_sends: { follower: 'insert', gateway: tends },
  push_subscriptions: { follower: 'select (id, account)', gateway: tends },
  push_keys: { gateway: adds },
  // Made by the gateway's daily work: sums of the ledger.
  // Fetched by the follower.
  reference_rates: { follower: adds, gateway: reads },
  ledger_sums: { grows: true, gateway: adds },
  customer_notes: { grows: true, gateway: adds },
  // Made by the gateway after midnight.
  surveillance_reports: { grows: true, gateway: adds },
  surveillance_findings: { grows: true, gateway: adds },
  surveillance_settlements: { grows: true, gateway: adds },
  // Requests for withdrawals: what was found, who looks at them, what members said, and what the core is told.
  withdrawal_reviews: { grows: true, gateway: adds },
  withdrawal_claims: passing,
  withdrawal_verdicts: { grows: true, gateway: adds },
  withdrawal_decisions: { gateway: 'select, insert, update (done_at, seq, refusal)' },
  deposit_decisions: people,
  // The follower reads the chains; the gateway hands out addresses and shows deposits, and moves held ones as two members decided.
  chain_cursors: { follower: keeps, gateway: reads },
  // The gateway tells how old the newest block is.
  chain_blocks: { follower: 'select, insert, delete', gateway: 'select (network, at)' },
  deposit_addresses: { follower: 'select, insert, update (signature)', gateway: reads },
  deposits: { follower: keeps, gateway: 'select, update (state)' },
  deposit_postings: { follower: 'select, insert, update (done_at, refusal)' },
  // The follower pays; an intent and its proofs stay as they were approved, and a signed transaction as it was signed. A slot that was refused is replaced.
  payouts: {
    follower: 'select, insert, update (state, nonce, fate, txid, block, fee, trouble, refusals, retry_at, settled_at, done_at)',
    gateway:
      'select (withdrawal, network, user_no, recipient, value, state, nonce, fate, txid, block, fee, trouble, taken_at, settled_at, done_at)',
  },
  payout_attempts: {
    follower: 'select, insert, update (slot, raw, txid, fate, planned_at, signed_at, sent_at, sends, hint)',
    gateway: 'select (withdrawal, n, txid, fate, planned_at, signed_at, sent_at, sends, hint)',
  },
  // The customer's wish is written once; the follower issues addresses; the engine's process signs what the core approved.
  deposit_address_requests: { follower: 'select, delete', gateway: adds },
  withdrawal_wishes: { engine: reads, follower: reads, gateway: 'select, insert, update (withdrawal)' },
  payout_warrants: { grows: true, engine: adds, follower: reads, gateway: 'select (withdrawal, payment)' },
  payout_endings: { engine: 'select, insert, update (client_id, engine, signed_at)', follower: 'select, update (done_at)' },
  payout_approvals: { grows: true, follower: reads, gateway: adds },
  payout_operators: { follower: 'select, insert, delete', gateway: reads },
  chain_decisions: { engine: reads, follower: reads, gateway: keeps },
  signer_keys: { engine: adds, follower: 'select, update (told_at, refusal)' },
  // The follower compares chains with the books. A balance stays as it was seen.
  treasury_flows: { follower: 'select, insert, update (what, is_done), delete', gateway: reads },
  chain_sums: { follower: reads },
  treasury_checkpoints: { grows: true, follower: adds, gateway: reads },
  treasury_movements: { grows: true, follower: adds },
  treasury_findings: { follower: 'select, insert, update (amount, stops, seen_at, closed_at)', gateway: reads },
  treasury_balances: { follower: keeps, gateway: reads },
  treasury_signer: { follower: keeps },
  treasury_beats: { follower: keeps, gateway: reads },
  treasury_jobs: {
    follower: 'select, insert, update (state, nonce, fate, txid, block, fee, trouble, retry_at, settled_at)',
    gateway: reads,
  },
  treasury_attempts: {
    follower: 'select, insert, update (raw, txid, signed_at, sent_at, sends, hint)',
    gateway: 'select (job, n, txid, planned_at, signed_at, sent_at, sends, hint)',
  },
  treasury_stuck: { follower: tends, gateway: reads },
  staff_customers: people,
  staff_marks: people,
  support_tickets: people,
  // A text goes with its customer's account, as the table's trigger allows.
  support_messages: { gateway: 'select, insert, update (text)' },
  support_images: passing,
  support_answers: people,
  support_presence: passing,
}

/** Initial settings of a role's connections. The journal's own connection waits for its commits however long they take. */
export const roleSettings: Readonly<Record<DatabaseRole, Readonly<Record<string, string>>>> = {
  engine: { statement_timeout: '1min', idle_in_transaction_session_timeout: '1min' },
  follower: { statement_timeout: '5min', idle_in_transaction_session_timeout: '5min' },
  gateway: { statement_timeout: '30s', idle_in_transaction_session_timeout: '1min' },
  backup: { statement_timeout: '6h', default_transaction_read_only: 'on' },
}

/** Statements that give the named users exactly the rights of the tables and revoke all others. */
export function grants(users: Readonly<Record<DatabaseRole, string>>, { mayForgetTape }: { readonly mayForgetTape: boolean }): string {
  const name = (role: DatabaseRole): string => quoted(users[role])
  const everybody = databaseRoles.map(name).join(', ')
  const tables = Object.entries(tableRights).flatMap(([table, rights]) =>
    (['engine', 'follower', 'gateway'] as const).flatMap((role) =>
      rights[role] === undefined ? [] : [`grant ${rights[role]} on public.${table} to ${name(role)}`],
    ),
  )
  return [
    'revoke create on schema public from public',
    `revoke all on schema public from ${everybody}`,
    `grant usage on schema public to ${everybody}`,
    `revoke all on all tables in schema public from ${everybody}`,
    `revoke all on all sequences in schema public from ${everybody}`,
    `revoke all on function public.forget_tape(bigint) from public, ${everybody}`,
    `revoke all on function public.check_journal(bigint, bigint, integer) from public, ${everybody}`,
    `revoke all on function public.list_snapshots() from public, ${everybody}`,
    `revoke all on function public.database_activity() from public, ${everybody}`,
    `grant execute on function public.database_activity() to ${name('gateway')}`,
    `grant execute on function public.list_snapshots() to ${name('gateway')}`,
    `grant execute on function public.check_journal(bigint, bigint, integer) to ${name('gateway')}`,
    ...tables,
    `grant select on all tables in schema public to ${name('backup')}`,
    `grant select on all sequences in schema public to ${name('backup')}`,
    ...(mayForgetTape ? [`grant execute on function public.forget_tape(bigint) to ${name('follower')}`] : []),
  ].join(';\n')
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
