import type { WireFirm, WireFirmAccount } from '@candor/core/protocol/wire/firm/firm.ts'
import { ArrowUpFromLine, ClipboardCheck, WalletCards } from 'lucide-react'
import { acting } from '../../app/firm/acting.ts'
import { navigate } from '../../app/location.ts'
import { useTranslation } from '../../app/translate.ts'
import { may, useActFor, useRequests } from '../../parts/firm/data.ts'
import { Button } from '../../parts/ui/button.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Empty, Failure } from '../../parts/ui/state.tsx'
import { RequestCard } from './request-card.tsx'

const icon = { size: 18, strokeWidth: 1.75 } as const

/** What members ask for: those that wait first. */
export function Requests({ firm }: { readonly firm: WireFirm }) {
  const { t } = useTranslation()
  const list = useRequests(firm.id)
  const act = useActFor()
  const main = firm.accounts.find(({ kind }) => kind === 'main')
  const go = (account: WireFirmAccount, path: string): void => (acting?.uid === account.uid ? navigate(path) : act(firm, account, path))
  const all = list.data?.items ?? []
  const waiting = all.filter(({ state }) => state === 'open' || state === 'approved')
  const past = all.filter((one) => !waiting.includes(one))
  return (
    <div className="flex flex-col gap-3 px-4">
      {main !== undefined && may(firm, 'treasury') && (
        <div className="flex flex-wrap gap-2">
          <Button variant="soft" size="medium" className="flex-1" onClick={() => go(main, '/withdrawel')}>
            <ArrowUpFromLine {...icon} aria-hidden />
            {t('firm.askWithdrawal')}
          </Button>
          <Button variant="soft" size="medium" className="flex-1" onClick={() => go(main, '/addaddress')}>
            <WalletCards {...icon} aria-hidden />
            {t('firm.askAddress')}
          </Button>
        </div>
      )}
      {list.data === undefined ? (
        list.error === null ? (
          <RowsSkeleton rows={3} />
        ) : (
          <Failure error={list.error} onRetry={() => void list.refetch()} />
        )
      ) : (
        <>
          {all.length === 0 && <Empty text={t('firm.noRequests')} icon={<ClipboardCheck size={22} strokeWidth={1.75} />} />}
          {waiting.map((request) => (
            <RequestCard key={request.id} firm={firm} request={request} />
          ))}
          {past.length > 0 && <h2 className="px-1 pt-2 text-12 font-medium text-fg3">{t('firm.past')}</h2>}
          {past.map((request) => (
            <RequestCard key={request.id} firm={firm} request={request} />
          ))}
        </>
      )}
    </div>
  )
}
