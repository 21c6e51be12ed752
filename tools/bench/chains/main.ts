/**
 * Deposits and withdrawals on test nodes, with an embedded PostgreSQL and the signer's process. Fails when one takes longer than its floor.
 *
 *   npm run bench -- chains [--json] [--addresses N] [--keys N] [--withdrawals N] [--only deposits|tron|withdrawals|reconciliation]
 */
import { startScratchServer } from '../../../server/store/test/scratch.ts'
import { numberAfter } from '../report.ts'
import { ethereumDeposits, tronDeposits } from './deposits.ts'
import type { Figure } from './figures.ts'
import { reconciliation } from './reconciliation.ts'
import { broadcasts } from './withdrawals.ts'

const at = process.argv.indexOf('--only')
const only = at < 0 ? undefined : process.argv[at + 1]
const isWanted = (name: string): boolean => only === undefined || only === name

await using server = await startScratchServer()
const figures: Figure[] = []
if (isWanted('deposits')) figures.push(...(await ethereumDeposits(server, numberAfter('--addresses', 1_000_000))))
if (isWanted('tron')) figures.push(...(await tronDeposits(server)))
if (isWanted('reconciliation')) figures.push(...(await reconciliation(server, numberAfter('--addresses', 1_000_000))))
if (isWanted('withdrawals')) figures.push(...(await broadcasts(server, numberAfter('--keys', 4), numberAfter('--withdrawals', 1_000))))
if (process.argv.includes('--json')) console.log(JSON.stringify({ name: 'chains', figures }))
if (figures.some(({ tookMs, maxMs }) => tookMs > maxMs)) process.exitCode = 1
