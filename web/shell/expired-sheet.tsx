import { Suspense } from 'react'
import { useTranslation } from '../app/translate.ts'
import { Sheet } from '../parts/ui/sheet.tsx'
import { later } from '../parts/ui/later.tsx'
import { signedOut, useSession } from '../app/session.ts'
import { loadArea } from '../app/texts.ts'

const LoginForm = later(async () => {
  const [form] = await Promise.all([import('../parts/account/login-form.tsx'), loadArea('auth')])
  return form.LoginForm
})

/** Asks to log in again, above the screen, so that the user's input is kept. */
export function ExpiredSheet() {
  const { t } = useTranslation()
  const isExpired = useSession((session) => session.isExpired)
  return (
    <Sheet isOpen={isExpired} onClose={signedOut} title={t('shell.expired')}>
      {isExpired && (
        <div className="flex flex-col gap-4 pb-2">
          <p className="text-13 text-fg2">{t('shell.expiredHint')}</p>
          <Suspense fallback={<div className="h-56" />}>
            <LoginForm onDone={() => undefined} />
          </Suspense>
        </div>
      )}
    </Sheet>
  )
}
