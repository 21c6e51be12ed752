import { ApiError } from '@candor/client/errors.ts'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { navigate } from '../../app/location.ts'
import { signedOut } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { usePasswordPair } from '../../parts/access/password-pair.tsx'
import { keepRegain, regain } from '../../parts/access/regain.ts'
import { Button, ButtonLink } from '../../parts/ui/button.tsx'
import { FormError } from '../../parts/ui/state.tsx'
import { toast } from '../../parts/ui/toast.tsx'

/** The page of the link: a new password in place of the lost factors. Opening it changes nothing. */
export function Finish({ token }: { readonly token: string }) {
  const { t } = useTranslation()
  const pair = usePasswordPair()
  const finish = useMutation({
    mutationFn: () => regain.finish({ token, password: pair.password, passwordAgain: pair.again }),
    onSuccess() {
      signedOut()
      keepRegain(null)
      toast({ text: t('reverify.finished'), tone: 'good' })
      navigate('/login?next=/safety', { replace: true })
    },
  })
  const isBroken = !/^[A-Za-z0-9_-]{22}$/.test(token)
  const code = finish.error instanceof ApiError ? finish.error.code : undefined
  const isElsewhere = code === 'REGAIN_ELSEWHERE'
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (pair.check() && !finish.isPending) finish.mutate()
  }
  if (isBroken || isElsewhere || code === 'TOKEN_EXPIRED')
    return (
      <div className="flex flex-1 flex-col gap-4 px-4 pt-2 pb-6">
        <p role="alert" className="rounded-control bg-warntint px-3 py-2.5 text-13 text-fg">
          {t(isElsewhere ? 'refusals.REGAIN_ELSEWHERE' : 'reverify.linkOver')}
        </p>
        <ButtonLink to="/login" variant="soft" isWide>
          {t('common.login')}
        </ButtonLink>
      </div>
    )
  return (
    <form onSubmit={submit} noValidate className="flex flex-1 flex-col gap-4 px-4 pt-2 pb-6">
      <h2 className="text-22 font-semibold">{t('reverify.finishTitle')}</h2>
      <p className="rounded-control bg-warntint px-3 py-2.5 text-13 text-fg">{t('reverify.finishLead')}</p>
      {pair.fields}
      <FormError error={finish.error} />
      <Button type="submit" isWide isBusy={finish.isPending}>
        {t('reverify.finishNow')}
      </Button>
    </form>
  )
}
