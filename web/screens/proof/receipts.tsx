import { bind } from '@candor/client/bind.ts'
import * as column from '@candor/client/column/proof/proof.ts'
import type { HeadKey } from '@candor/core/proof/head-keys.ts'
import { type CheckedReceipt, checkReceipt } from '@candor/core/proof/receipt.ts'
import type { SignedHead } from '@candor/core/proof/remembered.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { http } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { isOfStory } from '../../parts/proof/look.ts'
import { isSigned } from '../../parts/proof/signed.ts'
import { Button } from '../../parts/ui/button.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Empty, Failure, FormError, LoginFirst } from '../../parts/ui/state.tsx'
import { ReceiptLines } from './receipt-text.tsx'
import { titleOfText } from './receipt-words.ts'
import { Get, Result, Section } from './section.tsx'

const proof = bind(column, http)
const [firstShown, shownMax] = [5, 50]

/** Own receipts, newest first, each with its check. */
export function Receipts() {
  const { t } = useTranslation()
  const me = useMe()
  return (
    <Section title={t('verify.receipt.title')} hint={t('verify.receipt.hint')}>
      {me === undefined ? <LoginFirst text={t('verify.receipt.loginFirst')} next="/proof" /> : <List />}
    </Section>
  )
}

function List() {
  const { t } = useTranslation()
  const [limit, setLimit] = useState(firstShown)
  const query = useQuery({
    queryKey: ['own', 'proof', 'receipts', limit],
    queryFn: () => proof.receipts({ limit }),
    placeholderData: (before) => before,
    refetchInterval: 30_000,
  })
  if (query.data === undefined)
    return query.error === null ? <RowsSkeleton rows={3} /> : <Failure error={query.error} onRetry={() => void query.refetch()} isSmall />
  if (query.data.length === 0) return <Empty text={t('verify.receipt.none')} />
  return (
    <>
      <ul className="flex flex-col gap-2">
        {query.data.map((one) => (
          <Receipt key={one.seq} {...one} />
        ))}
      </ul>
      {query.data.length >= limit && limit < shownMax && (
        <Button variant="ghost" size="medium" onClick={() => setLimit(shownMax)}>
          {t('verify.receipt.more')}
        </Button>
      )}
      <Get href="/app/v1/proof/receipts.ndjson" name="candor-receipts.ndjson">
        {t('verify.receipt.all')}
      </Get>
    </>
  )
}

function Receipt({ seq, at, kind, text, isPublished }: column.ListedReceipt) {
  const { t } = useTranslation()
  const format = useFormats()
  const check = useMutation({ mutationFn: () => checked(seq) })
  const what = titleOfText(text, kind, t)
  const place = t('verify.receipt.place', { seq: format.number(seq), at: format.dateTime(at) })
  return (
    <li className="flex flex-col gap-2 rounded-card bg-s1 p-3">
      <div className="flex items-center justify-between gap-3">
        <div className="min-w-0 flex-1">
          <p className="truncate text-13 font-semibold">{what}</p>
          <p className="tn text-12 text-fg2">{place}</p>
          {!isPublished && <p className="text-12 text-fg3">{t('verify.receipt.waiting')}</p>}
        </div>
        {isPublished && (
          <Button
            variant="soft"
            size="small"
            isBusy={check.isPending}
            aria-label={`${t('verify.receipt.check')}: ${what}, ${place}`}
            onClick={() => check.mutate()}
          >
            {t('verify.receipt.check')}
          </Button>
        )}
      </div>
      <FormError error={check.error} />
      {typeof check.data === 'string' && (
        <Result tone="bad" text={t('verify.read.wrong')}>
          <code lang="en">{check.data}</code>
        </Result>
      )}
      {typeof check.data === 'object' && (
        <>
          <Result tone="good" text={t('verify.receipt.proved')}>
            {t('verify.receipt.covered', { n: format.number(check.data.head.n), user: check.data.receipt.user })}
          </Result>
          <ReceiptLines receipt={check.data.receipt} />
        </>
      )}
    </li>
  )
}

/** Reads a receipt and checks it here. A string says what is wrong. */
async function checked(seq: number): Promise<CheckedReceipt | string> {
  const given = await proof.receipt(seq)
  const found = await checkReceipt(JSON.stringify(given), isSigned)
  if (typeof found === 'string') return found
  if (found.receipt.seq !== seq) return 'is of another command'
  const { keys, head } = given as { readonly keys: readonly HeadKey[]; readonly head: SignedHead }
  return (await isOfStory({ keys, head })) ? found : 'has a head that is not in the journal that this device follows'
}
