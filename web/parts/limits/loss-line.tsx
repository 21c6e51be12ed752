import type { RiskyProduct } from '@candor/core/protocol/wire/own-limits.ts'
import { useEffect, useState } from 'react'
import { useFormats } from '../../app/format.ts'
import { loadArea } from '../../app/texts.ts'
import { useTranslation } from '../../app/translate.ts'
import { figureOf, useLossFigures } from './limits.ts'

const dayMs = 86_400_000

/** The share of accounts that lost money with a product, as the ledger says, with their number and the date. */
export function LossLine({ product }: { readonly product: RiskyProduct }) {
  const { t } = useTranslation()
  const format = useFormats()
  const figures = useLossFigures().data?.figures
  const names = { perp: t('limits.perp'), margin: t('limits.margin'), option: t('limits.option') }
  if (figures === undefined) return null
  const figure = figureOf(figures, product)
  if (figure === undefined || figure.lostPercent === null) return <p>{t('limits.tooFew', { product: names[product] })}</p>
  const date = format.date(figure.day - dayMs)
  return (
    <p className="tn">
      {t('limits.figure', { product: names[product], percent: figure.lostPercent, accounts: format.number(figure.accounts, 0, 0), date })}
    </p>
  )
}

/** The lines of all products, for places whose texts are loaded without these. */
export function LossLines({ products }: { readonly products: readonly RiskyProduct[] }) {
  const [isReady, setIsReady] = useState(false)
  useEffect(() => {
    loadArea('limits').then(
      () => setIsReady(true),
      () => undefined,
    )
  }, [])
  if (!isReady) return null
  return (
    <div className="flex flex-col gap-1.5 text-start text-13">
      {products.map((product) => (
        <LossLine key={product} product={product} />
      ))}
    </div>
  )
}
