import { ApiError } from '@candor/client/errors.ts'
import { bind } from '@candor/client/bind.ts'
import * as column from '@candor/client/column/proof/proof.ts'
import { checkLiabilities, type LiabilityProof, type ProvedLiabilities } from '@candor/core/proof/liabilities.ts'
import { useQuery } from '@tanstack/react-query'
import { http } from '../../app/client.ts'
import { acting } from '../../app/firm/acting.ts'
import { useFormats } from '../../app/format.ts'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { isOfStory } from '../../parts/proof/look.ts'
import { isSigned } from '../../parts/proof/signed.ts'
import { save } from '../../parts/share/file.ts'
import { Skeleton } from '../../parts/ui/skeleton.tsx'
import { Failure, LoginFirst } from '../../parts/ui/state.tsx'
import { ComparedSums, OwnSums } from './own-sums.tsx'
import { Result, Save, Section } from './section.tsx'

const ownProof = bind(column, http)

/** `ms`: how long the check took on this device. */
type Checked = { readonly proof: LiabilityProof; readonly ms: number } & (
  | { readonly proved: ProvedLiabilities }
  | { readonly wrong: string }
)

/**
 * Reads the customer's leaves and checks them here. Undefined while no head names a statement.
 *
 * uids  of the account that is shown: of the customer or, if members of firms may read it, of the firm's account for which they act
 */
async function checkOwn(uids: readonly string[]): Promise<Checked | undefined> {
  const proof = await ownProof.liabilities().catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'NOT_FOUND') return undefined
    throw error
  })
  if (proof === undefined) return undefined
  const began = performance.now()
  const found = await checkLiabilities(proof, { uid: uids.find((uid) => uid === proof.uid) ?? uids[0] }, isSigned)
  const ms = Math.ceil(performance.now() - began)
  if ('wrong' in found) return { proof, ms, wrong: found.wrong }
  const isOurs = await isOfStory({ keys: proof.keys, head: proof.head })
  return isOurs ? { proof, ms, proved: found } : { proof, ms, wrong: 'Its head is not in the journal that this device follows' }
}

/** Whether the customer's own balances are in the sums of what the exchange owes. */
export function Own() {
  const { t } = useTranslation()
  const me = useMe()
  return (
    <Section title={t('verify.own.title')} hint={t('verify.own.hint')}>
      {me === undefined ? (
        <LoginFirst text={t('verify.own.loginFirst')} next="/proof" />
      ) : (
        <Leaves uids={acting === undefined ? [me.uid] : [acting.uid, me.uid]} />
      )}
    </Section>
  )
}

function Leaves({ uids }: { readonly uids: readonly string[] }) {
  const { t } = useTranslation()
  const query = useQuery({
    queryKey: ['own', 'proof', 'liabilities'],
    queryFn: () => checkOwn(uids).then((found) => ({ found })),
    staleTime: 60_000,
  })
  if (query.data === undefined)
    return query.error === null ? (
      <Skeleton className="h-16 w-full rounded-card" />
    ) : (
      <Failure error={query.error} onRetry={() => void query.refetch()} isSmall />
    )
  const { found } = query.data
  if (found === undefined)
    return (
      <Result tone="plain" text={t('verify.own.none')}>
        {t('verify.own.noneHint')}
      </Result>
    )
  if ('wrong' in found)
    return (
      <>
        <Result tone="bad" text={t('verify.own.wrong')}>
          <code lang="en">{found.wrong}</code>
        </Result>
        <SaveProof proof={found.proof} />
      </>
    )
  return <Proved checked={found} isShown={found.proof.uid === uids[0]} />
}

/** `isShown`: the proof is of the account whose balances the app shows. */
function Proved({
  checked: { proof, proved, ms },
  isShown,
}: {
  readonly checked: Extract<Checked, { readonly proved: object }>
  readonly isShown: boolean
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const { n, at, seq } = proved.statement
  const sums = isShown ? <ComparedSums proved={proved} /> : <OwnSums proved={proved} />
  if (proved.own.length === 0)
    return (
      <>
        <Result tone="plain" text={t('verify.own.absent')}>
          {t('verify.own.absentHint', { at: format.dateTime(at) })}
        </Result>
        {sums}
      </>
    )
  const facts = { n: format.number(n), at: format.dateTime(at), seq: format.number(seq), span: `${format.number(ms)} ms` }
  return (
    <>
      <Result tone="good" text={t('verify.own.proved')}>
        {t('verify.own.provedHint', facts)}
      </Result>
      {sums}
      <p className="text-13 text-pretty text-fg2">{t('verify.own.compare')}</p>
      <SaveProof proof={proof} />
    </>
  )
}

/** The proof as the exchange sent it: somebody else can check it, too. */
function SaveProof({ proof }: { readonly proof: LiabilityProof }) {
  const { t } = useTranslation()
  const get = (): void => save(new File([`${JSON.stringify(proof)}\n`], 'candor-liabilities.json', { type: 'application/json' }))
  return <Save onClick={get}>{t('verify.own.save')}</Save>
}
