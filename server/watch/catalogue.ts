/** A metric: its kind for Prometheus, what it says, and its labels. The values of each label come from a list that the exchange knows. */
export type Metric = {
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly labels?: readonly string[]
}

const counter = (help: string, ...labels: string[]): Metric => ({ type: 'counter', help, labels })
const gauge = (help: string, ...labels: string[]): Metric => ({ type: 'gauge', help, labels })
const histogram = (help: string, ...labels: string[]): Metric => ({ type: 'histogram', help, labels })

/** Of each process that reports. Counters begin again when their process does. */
const processes = {
  candor_build_info: gauge('1, with version and commit of the gateway', 'version', 'commit'),
  candor_process_heard_age_seconds: gauge('Time since the last report of a process', 'process'),
  candor_process_uptime_seconds: gauge('Time since the start of a process', 'process'),
  candor_process_resident_bytes: gauge('Memory that a process holds', 'process'),
  candor_process_heap_bytes: gauge('Memory of JavaScript objects in use', 'process'),
  candor_process_external_bytes: gauge('Memory of buffers outside the heap', 'process'),
  candor_process_cpu_seconds_total: counter('Processor time, user and system', 'process'),
  candor_process_loop_lag_seconds: gauge('How late timers of a process fired at worst in the last two seconds', 'process'),
  candor_process_handles: gauge('Sockets, timers and requests that a process has open', 'process'),
  candor_process_descriptors: gauge('Open file descriptors; absent where the system does not list them', 'process'),
} as const

const engine = {
  candor_engine_up: gauge('1 while the engine takes commands'),
  candor_engine_standby: gauge('1 while the engine follows the leader of another machine and can take over'),
  candor_engine_link_up: gauge('1 while this gateway reaches an engine that takes commands'),
  candor_engine_clock_synced: gauge('0 while the wall clock differs by more than a second and new orders are refused'),
  candor_engine_commands_total: counter('Commands that were made durable'),
  candor_engine_batch_commands: histogram('Commands in a batch'),
  candor_engine_commit_seconds: histogram('Time from the decision of a batch until it is durable'),
  candor_engine_waiting_commands: gauge('Commands that wait to be decided'),
  candor_engine_refusals_total: counter('Refused commands by the name of the refusal', 'refusal'),
  candor_engine_epoch: gauge('Epoch of the leader'),
  candor_engine_seq: gauge('Last durable command'),
  candor_order_answer_p99_seconds: gauge('Time from an order to its answer, of 99 % of the orders of the last 15 minutes'),
  candor_snapshot_age_seconds: gauge('Age of the newest snapshot'),
  candor_snapshot_distance_commands: gauge('Commands that a start would replay after the newest snapshot'),
  candor_tables_lag_commands: gauge('Commands that the query tables are behind the journal'),
  candor_tables_lag_seconds: gauge('Time that the query tables are behind the journal'),
  candor_followed_seq: gauge('Last command that this gateway has seen'),
} as const

const gateway = {
  candor_health: gauge('1 while a check of /healthz finds no problem', 'check'),
  candor_http_requests_total: counter('Requests by part of the interface and class of status', 'area', 'status'),
  candor_http_request_seconds: histogram('Time from a request to its answer', 'area'),
  candor_http_slow_total: counter('Requests above the limit of the log of slow requests', 'area'),
  candor_sockets: gauge('Open WebSockets by kind', 'kind'),
  candor_socket_conflated_total: counter('Times that a slow reader got the newest values instead of all'),
  candor_socket_cut_total: counter('Sockets that were cut off because their reader did not keep up'),
} as const

const feeds = {
  candor_feed_up: gauge('1 while a price venue is up', 'venue'),
  candor_feed_age_seconds: gauge('Time since the last message of a price venue', 'venue'),
  candor_feed_price_age_seconds: gauge('Age of a venue’s price of a market', 'venue', 'market'),
  candor_feed_distance_ratio: gauge('Distance of a venue’s price from the index, as a share of the index', 'venue', 'market'),
  candor_feed_fallback: gauge('1 while the prices are simulated because no venue answers'),
} as const

const chains = {
  candor_chain_block: gauge('Newest block that was read', 'network'),
  candor_chain_final_block: gauge('Newest block that was read and can no longer vanish', 'network'),
  candor_chain_block_age_seconds: gauge('Age of the newest block that was read', 'network'),
  candor_deposits_waiting: gauge('Deposits that are not final, by state', 'network', 'state'),
  candor_payouts: gauge('Withdrawals on their way to a chain, by state', 'network', 'state'),
  candor_payouts_troubled: gauge('Withdrawals on their way to a chain that do not move', 'network'),
  candor_withdrawals_stuck: gauge('Approved withdrawals that do not move, on any network'),
  candor_treasury_balance: gauge('Coins of the exchange on a chain, by wallet', 'network', 'asset', 'role'),
  candor_treasury_customers: gauge('Coins of customers in the books that came by this network', 'network', 'asset'),
  candor_treasury_findings: gauge('Open differences between chains and books, by whether they stop payments', 'stops'),
  candor_treasury_match: gauge('1 while chains and books agree'),
  candor_treasury_beat_age_seconds: gauge('Time since chains and books were last compared'),
} as const

const books = {
  candor_books_uneven_assets: gauge('Assets whose accounts do not sum to zero'),
  candor_insurance_fund: gauge('Balances of the insurance funds and the house fund of Second', 'fund', 'asset'),
  candor_open_interest: gauge('Open interest of a Futures market at the mark, in its quote', 'market'),
  candor_open_interest_limit: gauge('Cap of the open interest of a Futures market', 'market'),
} as const

const database = {
  candor_database_bytes: gauge('Size of the database'),
  candor_database_connections: gauge('Connections to the database server'),
  candor_database_connections_max: gauge('Connections that the database server takes'),
  candor_database_oldest_transaction_seconds: gauge('Age of the oldest open transaction'),
  candor_database_waiting_locks: gauge('Sessions that wait for a lock'),
  candor_table_bytes: gauge('Size of the largest tables, with indexes', 'table'),
  candor_table_dead_rows: gauge('Rows of the largest tables that wait for vacuum', 'table'),
  candor_table_live_rows: gauge('Rows of the largest tables, as estimated', 'table'),
  candor_disk_free_bytes: gauge('Space left on the disk of the data folder'),
  candor_disk_total_bytes: gauge('Size of the disk of the data folder'),
  candor_backup_age_seconds: gauge('Time since the newest backup of the embedded database, or since the database was made'),
  candor_rehearsal_age_seconds: gauge(
    'Time since a backup was last restored and audited without a problem, or since the database was made',
  ),
} as const

const people = {
  candor_proof_head_age_seconds: gauge('Age of the newest signed head of the journal'),
  candor_proof_head_ahead_seconds: gauge('How much later than the clock of this machine the newest signed head is'),
  candor_reserves_age_seconds: gauge('Age of the newest statement of reserves, or of the first head while there is none'),
  candor_anchor_age_seconds: gauge('Age of the newest head in a final block of a chain, or time since the first try', 'network'),
  candor_audit_events_total: counter('Entries of the customers’ audit log since this gateway started', 'action'),
  candor_staff_events_total: counter('Entries of the staff’s log since this gateway started', 'action'),
  candor_work_waiting: gauge('Work that waits for a decision of the staff', 'kind'),
  candor_work_oldest_seconds: gauge('How long the oldest of that work waits', 'kind'),
  candor_queue_waiting: gauge('Mails, messages, pushes and webhooks that wait', 'queue'),
  candor_queue_oldest_seconds: gauge('How long the oldest of a queue waits', 'queue'),
  candor_sends_failing: gauge('Mails, messages and pushes that failed and are tried again'),
  candor_collector_up: gauge('0 where a group of these metrics could not be read, and is left out', 'collector'),
} as const

/** Every metric of `/metrics`. `docs/operate.md` says which of them to watch. */
export const metrics = { ...processes, ...engine, ...gateway, ...feeds, ...chains, ...books, ...database, ...people } as const
export type MetricName = keyof typeof metrics
