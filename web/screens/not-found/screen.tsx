import { useTranslation } from '../../app/translate.ts'
import { ButtonLink } from '../../parts/ui/button.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'

export function Screen() {
  const { t } = useTranslation()
  return (
    <>
      <PageHeader title={t('shell.notFound')} />
      <div className="flex flex-1 flex-col items-center justify-center gap-4 px-8 pb-24 text-center">
        <p aria-hidden className="tn text-28 font-semibold text-fg3">
          404
        </p>
        <p className="text-15 text-fg2">{t('shell.notFoundHint')}</p>
        <ButtonLink to="/" variant="soft">
          {t('shell.goHome')}
        </ButtonLink>
      </div>
    </>
  )
}
