import {
  depositStates,
  withdrawalStatuses,
  type WireDeposit,
  type WireDepositState,
  type WireWithdrawal,
  type WireWithdrawalStatus,
} from '@candor/core/protocol/wire/chains.ts'
import type { RecordSumsQuery } from '@candor/client/column/funds.ts'
import { useState } from 'react'
import type { Formats } from '../../app/formats.ts'
import { type Translate, useTranslation } from '../../app/translate.ts'
import { chains as api, depositsQuery, networkLabel, useChains, withdrawalsQuery } from '../../parts/chains/data.ts'
import { DepositList } from '../../parts/chains/deposits.tsx'
import { WithdrawalList } from '../../parts/chains/withdrawals.tsx'
import { depositWord, reasonWord } from '../../parts/chains/words.ts'
import { allPages, csvOf, download } from '../../parts/lists/csv.ts'
import { Endless } from '../../parts/lists/endless.tsx'
import { ButtonLink } from '../../parts/ui/button.tsx'
import { Empty } from '../../parts/ui/state.tsx'
import type { ChainKind } from './chain-kind.ts'
import { MonthList } from './month-list.tsx'

/** Deposits or withdrawals of the user from the first to the last, also those that moved nothing. */
export function ChainRecords({ kind, query }: { readonly kind: ChainKind; readonly query: RecordSumsQuery }) {
  const { t } = useTranslation()
  const chains = useChains().data
  const [status, setStatus] = useState('')
  const of = chainQuery(query)
  const isFiltered = status !== '' || Object.keys(of).length > 0
  const choices =
    kind === 'deposit'
      ? depositStates.map((state) => ({ value: state, label: t(`chains.state.${state === 'confirming' ? 'waiting' : state}`) }))
      : withdrawalStatuses.map((one) => ({ value: one, label: t(`chains.statuses.${one}`) }))
  return (
    <>
      <div className="px-4 pb-2">
        <select
          aria-label={t('chains.status')}
          value={status}
          onChange={(event) => setStatus(event.target.value)}
          className="h-8 max-w-full rounded-chip bg-s2 px-2 text-12 font-medium text-fg"
        >
          <option value="">{`${t('chains.status')}: ${t('records.all')}`}</option>
          {choices.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
      {kind === 'deposit' ? (
        <Endless<WireDeposit>
          key={JSON.stringify([of, status])}
          queryKey={[...depositsQuery, of, status]}
          page={(before) => api.deposits({ ...of, ...(status === '' ? {} : { state: status as WireDepositState }), ...from(before) })}
          empty={<None isFiltered={isFiltered} kind={kind} />}
        >
          {(items) => (
            <MonthList items={items} timeOf={({ seenAt }) => seenAt} query={query}>
              {(ofMonth) => <DepositList items={ofMonth} chains={chains} />}
            </MonthList>
          )}
        </Endless>
      ) : (
        <Endless<WireWithdrawal>
          key={JSON.stringify([of, status])}
          queryKey={[...withdrawalsQuery, of, status]}
          page={(before) =>
            api.withdrawals({ ...of, ...(status === '' ? {} : { status: status as WireWithdrawalStatus }), ...from(before) })
          }
          empty={<None isFiltered={isFiltered} kind={kind} />}
        >
          {(items) => (
            <MonthList items={items} timeOf={({ requestedAt }) => requestedAt} query={query}>
              {(ofMonth) => <WithdrawalList items={ofMonth} chains={chains} />}
            </MonthList>
          )}
        </Endless>
      )}
    </>
  )
}

/** The part of the filter that deposits and withdrawals have. */
function chainQuery({ asset, from: first, to }: RecordSumsQuery): Pick<RecordSumsQuery, 'asset' | 'from' | 'to'> {
  return {
    ...(asset === undefined ? {} : { asset }),
    ...(first === undefined ? {} : { from: first }),
    ...(to === undefined ? {} : { to }),
  }
}

const from = (before: string | undefined) => ({ limit: 50, ...(before === undefined ? {} : { before }) })

function None({ kind, isFiltered }: { readonly kind: ChainKind; readonly isFiltered: boolean }) {
  const { t } = useTranslation()
  if (isFiltered) return <Empty text={t('chains.noneFound')} />
  return kind === 'deposit' ? (
    <Empty text={t('chains.noDeposits')}>
      <ButtonLink to="/recharge" variant="soft" size="small">
        {t('chains.deposit')}
      </ButtonLink>
    </Empty>
  ) : (
    <Empty text={t('chains.noWithdrawals')}>
      <ButtonLink to="/withdrawel" variant="soft" size="small">
        {t('chains.withdraw')}
      </ButtonLink>
    </Empty>
  )
}

/** Saves all deposits or withdrawals as a file; times in UTC, exact numbers. */
export async function exportChainRecords(kind: ChainKind, query: RecordSumsQuery, t: Translate, format: Formats): Promise<void> {
  const of = chainQuery(query)
  const known = await api.chains()
  const time = (at: number | undefined): string => (at === undefined ? '' : format.utc(at))
  const head = [t('chains.number'), t('chains.coin'), t('chains.network'), t('chains.amount')]
  const tail = [t('chains.status'), t('chains.submitted'), t('chains.completed'), t('chains.address'), t('chains.transaction')]
  if (kind === 'deposit') {
    const all = await allPages<WireDeposit>((before) => api.deposits({ ...of, ...from(before) }))
    const rows = all.map((one) => [
      ...[one.id, one.asset, networkLabel(known, one.network), one.amount, depositWord(one, t)],
      ...[time(one.seenAt), time(one.finalAt), one.address, one.txid],
    ])
    return download('candor-deposits.csv', csvOf([...head, ...tail], rows))
  }
  const all = await allPages<WireWithdrawal>((before) => api.withdrawals({ ...of, ...from(before) }))
  const rows = all.map((one) => [
    ...[one.id, one.asset, networkLabel(known, one.network), one.amount, one.fee, one.received, t(`chains.statuses.${one.status}`)],
    ...[time(one.requestedAt), time(one.endedAt), one.address, one.txid ?? '', one.reason === undefined ? '' : reasonWord(one.reason, t)],
  ])
  const [status, submitted, completed, , transaction] = tail
  const more = [t('chains.fee'), t('chains.received'), status!, submitted!, completed!, t('chains.to'), transaction!, t('chains.reason')]
  return download('candor-withdrawals.csv', csvOf([...head, ...more], rows))
}
