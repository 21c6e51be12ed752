import { ApiError } from '@candor/client/errors.ts'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from '../../app/translate.ts'
import { usePlace } from '../../app/location.ts'
import { signedOut, useMe } from '../../app/session.ts'
import { Frozen, Support } from '../../parts/account/frozen.tsx'
import { safety } from '../../parts/account/safety.ts'
import { Button, ButtonLink } from '../../parts/ui/button.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { FormError } from '../../parts/ui/state.tsx'

/** The page of a link in a message: freezes the account after a tap. After a freeze in the security centre it says what that means. */
export function Screen() {
  const { t } = useTranslation()
  const { query } = usePlace()
  const token = query.get('token') ?? ''
  const isLink = /^[A-Za-z0-9_-]{22}$/.test(token)
  const isDone = useMe() === undefined && query.has('done')
  return (
    <>
      <PageHeader title={t('safety.freezePage.title')} fallback="/login" />
      <div className="flex flex-1 flex-col gap-5 px-4 pt-2 pb-6">
        {isLink ? <Ask key={token} token={token} /> : isDone ? <Done /> : <Over />}
      </div>
    </>
  )
}

/** Nothing happens before the tap: programs that open links in mails freeze nobody. */
function Ask({ token }: { readonly token: string }) {
  const { t } = useTranslation()
  const freeze = useMutation({ mutationFn: () => safety.freezeByLink({ token }), onSuccess: signedOut })
  const isOver = freeze.error instanceof ApiError && freeze.error.code === 'TOKEN_EXPIRED'
  if (freeze.isSuccess) return <Done />
  if (isOver) return <Over />
  return (
    <>
      <p className="text-15 text-fg2">{t('safety.freezePage.lead')}</p>
      <ul className="flex list-disc flex-col gap-2 rounded-card bg-s1 py-4 ps-8 pe-4 text-13 text-fg2">
        {[t('safety.freezePage.sessions'), t('safety.freezePage.keys'), t('safety.freezePage.orders'), t('safety.freezePage.opening')].map(
          (line) => (
            <li key={line}>{line}</li>
          ),
        )}
      </ul>
      <FormError error={freeze.error} />
      <Button variant="danger" isWide isBusy={freeze.isPending} onClick={() => freeze.mutate()}>
        {t('safety.freezePage.confirm')}
      </Button>
    </>
  )
}

/** A link that does not work, also one that a mail program has cut: nobody must believe that the account is frozen. */
function Over() {
  const { t } = useTranslation()
  return (
    <>
      <p role="alert" className="rounded-control bg-warntint px-3 py-2.5 text-13 text-fg">
        {t('safety.freezePage.expired')}
      </p>
      <Support />
      <ButtonLink to="/login?next=/safety" variant="soft" isWide>
        {t('safety.freezePage.toLogin')}
      </ButtonLink>
    </>
  )
}

function Done() {
  const { t } = useTranslation()
  return (
    <>
      <Frozen />
      <ButtonLink to="/login" variant="soft" isWide>
        {t('safety.freezePage.toLogin')}
      </ButtonLink>
    </>
  )
}
