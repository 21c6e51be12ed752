import { type HomeCard, homeCards, type HomeLayout, type QuickAction } from '@candor/core/protocol/wire/own/preferences.ts'
import { movedBy, toggled } from '../../app/preferences/ordering.ts'
import { useTranslation } from '../../app/translate.ts'
import { Switch } from '../../parts/fields/field.tsx'
import { Arrange } from '../../parts/ui/arrange.tsx'
import { Button } from '../../parts/ui/button.tsx'
import { Sheet } from '../../parts/ui/sheet.tsx'
import { inOrder, usualLayout } from './layout.ts'
import { useQuickNames } from './quick.tsx'

/** Puts the cards and the quick actions of the start page in order, and hides some. */
export function ArrangeSheet({
  layout,
  shown,
  offered,
  onChange,
  onClose,
}: {
  readonly layout: HomeLayout
  readonly shown: readonly QuickAction[]
  readonly offered: readonly QuickAction[]
  readonly onChange: (next: (layout: HomeLayout) => HomeLayout) => void
  readonly onClose: () => void
}) {
  const { t } = useTranslation()
  const cards: Readonly<Record<HomeCard, string>> = {
    next: t('home.next'),
    quick: t('home.quick'),
    markets: t('home.cardMarkets'),
    volume: t('home.volume'),
    links: t('home.cardLinks'),
  }
  return (
    <Sheet isOpen onClose={onClose} title={t('home.arrange')}>
      <div className="-mx-4 flex flex-col gap-4">
        <Part
          title={t('home.arrangeCards')}
          names={cards}
          shown={layout.cards}
          all={homeCards}
          onChange={(next) => onChange((now) => ({ ...now, cards: next }))}
        />
        <Part
          title={t('home.quick')}
          names={useQuickNames()}
          shown={shown}
          all={offered}
          onChange={(next) => onChange((now) => ({ ...now, actions: next }))}
        />
        <Button variant="soft" className="mx-4" onClick={() => onChange(() => usualLayout)}>
          {t('home.arrangeReset')}
        </Button>
      </div>
    </Sheet>
  )
}

/** One list: its shown entries in their order, then the hidden ones. */
function Part<Id extends string>({
  title,
  names,
  shown,
  all,
  onChange,
}: {
  readonly title: string
  readonly names: Readonly<Record<Id, string>>
  readonly shown: readonly Id[]
  readonly all: readonly Id[]
  readonly onChange: (shown: readonly Id[]) => void
}) {
  const list = inOrder(shown, all)
  return (
    <section>
      <h3 className="px-4 text-12 font-medium text-fg3">{title}</h3>
      <Arrange
        label={title}
        items={list.map((id) => ({ id, name: names[id] }))}
        onMove={(id, by) => {
          const next = movedBy(list, id, by)
          // Moving a hidden entry shows it.
          onChange(next.filter((one) => one === id || shown.includes(one)))
        }}
        render={({ id, name }) => (
          <span className="flex min-w-0 flex-1 items-center gap-3">
            <span className="min-w-0 flex-1 text-15">{name}</span>
            <Switch isOn={shown.includes(id)} onChange={() => onChange(toggled(shown, id))} label={name} />
          </span>
        )}
      />
    </section>
  )
}
