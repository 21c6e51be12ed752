import { useTranslation } from '../../app/translate.ts'
import type { PresaleWord, Standing } from './standing.ts'

const calm = 'bg-s2 text-fg2'
const presaleTones: Readonly<Record<PresaleWord, string>> = {
  upcoming: 'bg-s2 text-fg',
  subscribing: 'bg-brandtint text-brand',
  ...{ ended: calm, locked: calm, released: calm, missed: calm, cancelled: calm },
}
const standingTones: Readonly<Record<Standing, string>> = {
  subscribing: 'bg-brandtint text-brand',
  participating: 'bg-brandtint text-brand',
  locked: 'bg-warntint text-fg',
  released: 'bg-s2 text-ok',
  refunded: calm,
}

/** A presale's state. */
export function StateChip({ word }: { readonly word: PresaleWord }) {
  const { t } = useTranslation()
  return <Chip tone={presaleTones[word]} text={t(`presale.state.${word}`)} />
}

/** The state of a customer's subscription. */
export function StandingChip({ standing }: { readonly standing: Standing }) {
  const { t } = useTranslation()
  return <Chip tone={standingTones[standing]} text={t(`presale.standing.${standing}`)} />
}

function Chip({ tone, text }: { readonly tone: string; readonly text: string }) {
  return <span className={`shrink-0 rounded-chip px-2 py-0.5 text-12 font-semibold ${tone}`}>{text}</span>
}
