import { Check, Clock, EyeOff, FileImage, Minus, ShieldCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from '../../app/translate.ts'

const icon = { size: 20, strokeWidth: 1.75 } as const

/** Why the check exists, what it needs, how long it takes, what becomes of the photos, and what it opens. */
export function About({ usualHours, isInSheet = false }: { readonly usualHours: number | null; readonly isInSheet?: boolean }) {
  const { t } = useTranslation()
  return (
    <div className="flex flex-col gap-4">
      <div className={`flex flex-col gap-4 rounded-card ${isInSheet ? '' : 'bg-s1 p-4'}`}>
        <Point icon={<ShieldCheck {...icon} />} title={t('papers.why')} isInSheet={isInSheet}>
          <p>{t('papers.whyText')}</p>
        </Point>
        <Point icon={<Clock {...icon} />} title={t('papers.time')} isInSheet={isInSheet}>
          <p>{usualHours === null ? t('papers.timeUnknown') : t('papers.timeUsual', { count: usualHours })}</p>
        </Point>
        <Point icon={<FileImage {...icon} />} title={t('papers.need')} isInSheet={isInSheet}>
          <p>{t('papers.needText')}</p>
        </Point>
        <Point icon={<EyeOff {...icon} />} title={t('papers.privacy')} isInSheet={isInSheet}>
          <ul className="flex list-disc flex-col gap-0.5 ps-4">
            <li>{t('papers.privacySealed')}</li>
            <li>{t('papers.privacySeen')}</li>
            <li>{t('papers.privacyGone')}</li>
            <li>{t('papers.privacyPlace')}</li>
          </ul>
        </Point>
      </div>
      <Opens isInSheet={isInSheet} />
    </div>
  )
}

function Point({
  icon,
  title,
  isInSheet,
  children,
}: {
  readonly icon: ReactNode
  readonly title: string
  readonly isInSheet: boolean
  readonly children: ReactNode
}) {
  // Below the heading of the sheet, or that of the page.
  const Heading = isInSheet ? 'h3' : 'h2'
  return (
    <section className="flex gap-3">
      <span aria-hidden className="mt-0.5 flex size-6 shrink-0 items-center justify-center text-brand">
        {icon}
      </span>
      <div className="min-w-0 flex-1">
        <Heading className="text-15 font-medium">{title}</Heading>
        <div className="mt-0.5 text-13 text-fg2">{children}</div>
      </div>
    </section>
  )
}

/** Which products may be used without and with the check. */
function Opens({ isInSheet }: { readonly isInSheet: boolean }) {
  const { t } = useTranslation()
  const products = [
    t('trade.spot'),
    t('trade.futures'),
    t('trade.margin'),
    t('trade.optionsDesk'),
    t('papers.lending'),
    t('papers.presales'),
  ]
  return (
    <table className={`w-full table-fixed rounded-card text-13 ${isInSheet ? '' : 'bg-s1'}`}>
      <caption className="sr-only">{t('papers.opens')}</caption>
      <thead>
        <tr className="text-12 text-fg3">
          <th scope="col" className={`w-[34%] py-2.5 text-start font-medium ${isInSheet ? '' : 'ps-4'}`}>
            {t('papers.product')}
          </th>
          <th scope="col" className="px-1 py-2.5 font-medium break-words hyphens-auto">
            {t('papers.without')}
          </th>
          <th scope="col" className="px-1 py-2.5 font-medium break-words hyphens-auto">
            {t('papers.with')}
          </th>
        </tr>
      </thead>
      <tbody>
        {products.map((product, at) => (
          <tr key={product} className="border-t border-line">
            <th scope="row" className={`py-2.5 text-start font-medium break-words ${isInSheet ? '' : 'ps-4'}`}>
              {product}
            </th>
            <Cell isOpen={at === 0} />
            <Cell isOpen />
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Cell({ isOpen }: { readonly isOpen: boolean }) {
  const { t } = useTranslation()
  const Icon = isOpen ? Check : Minus
  return (
    <td className="py-2.5">
      <Icon size={18} strokeWidth={2} aria-hidden className={`mx-auto ${isOpen ? 'text-ok' : 'text-fg3'}`} />
      <span className="sr-only">{isOpen ? t('papers.open') : t('papers.closed')}</span>
    </td>
  )
}
